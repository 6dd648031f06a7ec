import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The providers that a person has added: a file each, beside the credentials. They hold nothing secret.
struct AddedProviders {
    private let folder: String
    private static let ending = ".json"
    private static let sizeLimit = 1024 * 1024

    init() throws(Failure) {
        do {
            folder = try ToolStore(nil).folder + "/providers"
        } catch {
            throw Failure(error)
        }
    }

    /// All of them, in the order of their names.
    ///
    /// - Throws: ``Failure`` that names the file and the field where one cannot be read.
    func all() throws(Failure) -> [ProviderProfile] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var profiles: [ProviderProfile] = []
        for name in names.sorted() where name.hasSuffix(Self.ending) && !name.hasPrefix(".") {
            profiles.append(try Self.read("\(folder)/\(name)"))
        }
        return profiles
    }

    /// nil where there is none of this name.
    func profile(named name: String) throws(Failure) -> ProviderProfile? {
        let path = path(of: name)
        return Self.isName(name) && InputFile.exists(path) ? try Self.read(path) : nil
    }

    /// Keeps a profile under its name; one that was kept under it before gives way.
    func keep(_ profile: ProviderProfile) throws(Failure) {
        let data = Data(profile.settings.serialized(indented: true) + [UInt8(ascii: "\n")])
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try data.write(to: URL(filePath: path(of: profile.name)), options: .atomic)
        } catch {
            throw Failure("store_failed", .storeFailed, "\(folder) cannot be written", hint: "check the folder, or set AUTHHUB_STORE")
        }
    }

    /// Reads a profile from a file that a person has written.
    static func read(_ path: String) throws(Failure) -> ProviderProfile {
        let bytes = try InputFile.contents(of: path, limit: sizeLimit)
        do {
            // What a person adds may be on this machine; each login says whether that is meant.
            return try ProviderProfile(settings: bytes, file: path, transport: .insecureHTTPOnLoopbackForDevelopment)
        } catch {
            throw .usage("\(error)", hint: "authhub provider show github -o json shows what such a file may hold")
        }
    }

    private func path(of name: String) -> String { "\(folder)/\(name)\(Self.ending)" }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && name.utf8.allSatisfy { $0.isUnreserved }
    }
}
