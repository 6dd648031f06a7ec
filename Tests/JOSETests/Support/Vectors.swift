import AuthHubPrimitives
import Platform
import Testing

/// The test vectors of Wycheproof, the JOSE cookbook and the RFCs, from a folder outside the package.
enum Vectors {
    /// The reason why a test that needs the vectors is skipped.
    static let absence: Comment = "no vectors at AUTHHUB_VECTORS, nor beside the package"

    private static let folder: String = {
        let package = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        return ProcessInfo.processInfo.environment["AUTHHUB_VECTORS"] ?? "/\(package)/../shared/vectors"
    }()

    static let areHere = FileManager.default.fileExists(atPath: "\(folder)/README.md")

    /// Reads a file, by its path in the folder; nil if there are no vectors.
    ///
    /// The function is called for the arguments of tests, so it records an issue for a file that is damaged or missing.
    static func read(_ path: String) -> JSONValue? {
        guard areHere else { return nil }
        do {
            return try JSONValue(strict: Array(Data(contentsOf: URL(filePath: "\(folder)/\(path)"))))
        } catch {
            Issue.record("cannot read \(path): \(error)")
            return nil
        }
    }

    /// The names of the files in a folder, in alphabetical order.
    static func files(in path: String) -> [String] {
        guard areHere else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(path)").filter { $0.hasSuffix(".json") }.sorted()
        } catch {
            Issue.record("cannot list \(path): \(error)")
            return []
        }
    }

    /// The examples of the RFCs, by their IDs.
    static func example(_ id: String) throws -> JSONObject {
        let examples = read("rfc/examples.json")?.array ?? []
        return try #require(examples.first { $0["id"]?.string == id }?.object)
    }
}

/// A test of a Wycheproof file, with the keys of its group.
struct WycheproofRow: Sendable, CustomTestStringConvertible {
    let id: Int
    let comment: String
    /// The token, in a compact or a JSON serialization.
    let token: String
    let isValid: Bool
    let flags: [String]
    let publicKey: JSONObject?
    let privateKey: JSONObject?

    var testDescription: String { "\(id): \(comment), \(isValid ? "valid" : "invalid")" }

    /// Reads all tests of a file that have the member.
    ///
    /// - Parameter member: `jws` or `jwe`.
    static func all(_ file: String, member: String) -> [Self] {
        let groups = Vectors.read("wycheproof/\(file)")?["testGroups"]?.array ?? []
        return groups.flatMap { group in
            (group["tests"]?.array ?? []).compactMap { test in
                guard let token = test[member] else { return nil }
                return Self(
                    id: Int(test["tcId"]?.number?.int64 ?? 0), comment: test["comment"]?.string ?? "",
                    token: token.string ?? String(decoding: token.serialized(), as: UTF8.self),
                    isValid: test["result"]?.string == "valid", flags: (test["flags"]?.array ?? []).compactMap(\.string),
                    publicKey: group["public"]?.object, privateKey: group["private"]?.object)
            }
        }
    }
}
