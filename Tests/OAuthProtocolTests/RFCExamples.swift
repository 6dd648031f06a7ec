import AuthHubPrimitives
import Platform
import Testing

/// The examples of the RFCs, from the folder with the test vectors, which is outside the package.
enum RFCExamples {
    /// The reason why a test that needs the examples is skipped.
    static let absence: Comment = "no vectors at AUTHHUB_VECTORS, nor beside the package"

    private static let file: Data? = {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let folder = ProcessInfo.processInfo.environment["AUTHHUB_VECTORS"] ?? "/\(package)/../shared/vectors"
        return try? Data(contentsOf: URL(filePath: "\(folder)/rfc/examples.json"))
    }()

    static var areHere: Bool { file != nil }

    /// The examples by their IDs.
    static func read() throws -> [String: JSONObject] {
        let bytes = Array(try #require(file))
        let examples = try #require(try JSONValue(strict: bytes).array).compactMap(\.object)
        return Dictionary(examples.map { ($0["id"]?.string ?? "", $0) }) { first, _ in first }
    }

    static func example(_ id: String) throws -> JSONObject {
        let examples = try read()
        return try #require(examples[id])
    }
}
