import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Platform

/// The providers that the user has added: a file for each, next to the credentials. They contain nothing secret.
struct AddedProviders {
    private let parent: String
    private let folder: String
    private static let ending = ".json"
    private static let sizeLimit = 1024 * 1024

    init() throws(Failure) {
        parent = try Failure.translating { try ToolStore(nil).folder }
        folder = parent + "/providers"
    }

    /// Returns all usable providers, sorted by name, and the problem of unusable files.
    ///
    /// - Throws: ``Failure`` if the folder cannot be trusted.
    func all() throws(Failure) -> (profiles: [ProviderProfile], problem: Failure?) {
        try checkFolders()
        var profiles: [ProviderProfile] = []
        var failures: [Failure] = []
        for name in names() where !ProviderName.isBuiltIn(name) {
            do {
                if let profile = try readKept(path(of: name)) { profiles.append(profile) }
            } catch {
                failures.append(error)
            }
        }
        return (profiles, Self.problem(failures))
    }

    private static func problem(_ failures: [Failure]) -> Failure? {
        guard let first = failures.first else { return nil }
        let reasons = failures.map(\.message).joined(separator: "; ")
        let count = Words.count(failures.count, "added provider")
        return Failure(
            first.code, first.exit, "\(count) cannot be used: \(reasons)",
            hint: "correct the file or delete it; authhub provider show github -o json shows the format")
    }

    /// Returns the warnings about all files under the names of built-in providers.
    func warnings() -> [String] { names().compactMap(warning) }

    private func names() -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(Self.ending) && !$0.hasPrefix(".") }.map { String($0.dropLast(Self.ending.count)) }.sorted()
    }

    /// Returns the added provider with a name; nil if there is none, or the name is built in: a file cannot change where users of that name
    /// sign in.
    func profile(named name: String) throws(Failure) -> ProviderProfile? {
        guard Self.isFileName(name), !ProviderName.isBuiltIn(name) else { return nil }
        try checkFolders()
        return try readKept(path(of: name))
    }

    /// Returns the warning about a file under the name of a built-in provider, which earlier versions accepted; nil if there is no such
    /// file.
    func warning(about name: String) -> String? {
        let path = path(of: name)
        guard Self.isFileName(name), ProviderName.isBuiltIn(name), InputFile.exists(path) else { return nil }
        return """
            the provider in \(path) is not used, because “\(name.lowercased())” is built in; to use it, add it under another name and \
            delete that file: authhub provider add \(path.shellWord) --name NAME
            """
    }

    func holds(_ name: String) -> Bool { InputFile.exists(path(of: name)) }

    /// Stores a profile under its name. It replaces a profile that was added under the same name.
    ///
    /// - Parameter profile: A profile whose name ``ProviderName`` accepts.
    /// - Throws: ``Failure`` if the folder cannot be written.
    func keep(_ profile: ProviderProfile) throws(Failure) {
        try checkFolders()
        do {
            try DataFolder.replace(path(of: profile.name), with: profile.settings.serialized(indented: true) + [UInt8(ascii: "\n")])
        } catch {
            throw Self.failure(error)
        }
    }

    /// Removes the file of a provider, even if it cannot be read.
    ///
    /// - Returns: Whether there was one.
    func remove(_ name: String) throws(Failure) -> Bool {
        guard Self.isFileName(name), holds(name) else { return false }
        try checkFolders()
        do {
            try FileSystem.remove(path(of: name))
            return true
        } catch {
            throw Self.failure(error)
        }
    }

    /// Reads a stored file. It decides where client secrets and codes are sent, so no other user may have write permission.
    private func readKept(_ path: String) throws(Failure) -> ProviderProfile? {
        let bytes: [UInt8]?
        do {
            bytes = try DataFolder.contents(of: path, atMost: Self.sizeLimit)
        } catch {
            throw Self.failure(error)
        }
        return try bytes.map { bytes throws(Failure) in try Self.profile(bytes, path) }
    }

    private func checkFolders() throws(Failure) {
        do {
            try DataFolder.check(parent)
            try DataFolder.check(folder)
        } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: CredentialStoreError) -> Failure {
        Failure("store_failed", .storeFailed, error.explanation, hint: "fix the problem, or set AUTHHUB_STORE")
    }

    /// Reads a profile from a file that the user has written.
    static func read(_ path: String) throws(Failure) -> ProviderProfile {
        try profile(try InputFile.trustedContents(of: path, limit: sizeLimit), path)
    }

    private static func profile(_ bytes: [UInt8], _ path: String) throws(Failure) -> ProviderProfile {
        do {
            // An added provider may be on this machine; each login checks whether that is intended.
            return try ProviderProfile(settings: bytes, file: path, transport: .insecureHTTPOnLoopbackForDevelopment)
        } catch {
            throw .usage("\(error)", hint: "authhub provider show github -o json shows the format")
        }
    }

    private func path(of name: String) -> String { "\(folder)/\(name)\(Self.ending)" }

    private static func isFileName(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && name.utf8.allSatisfy { $0.isUnreserved }
    }
}
