import AuthHubPrimitives
import CredentialStorage

/// The file with the user's rules, next to the credentials. It contains nothing secret.
extension AccountRules {
    private static let name = "accounts.json"
    private static let sizeLimit = 1024 * 1024

    /// Reads the rules; empty if none are stored.
    ///
    /// - Throws: ``Failure`` if the file is damaged, or if another user may write to it.
    static func stored() throws(Failure) -> Self {
        do throws(CredentialStoreError) {
            return try read(path())
        } catch {
            throw failure(error)
        }
    }

    /// Changes the stored rules. Other processes wait until the change is stored.
    ///
    /// - Returns: The result of the closure.
    @discardableResult
    static func change<Result>(_ body: (inout Self) throws(Failure) -> Result) async throws(Failure) -> Result {
        let path: String
        let lock: FileLock
        var rules: Self
        do throws(CredentialStoreError) {
            path = try Self.path()
            lock = try await DataFolder.lock(path)
            rules = try read(path)
        } catch {
            throw failure(error)
        }
        defer { lock.release() }
        let old = rules
        let result = try body(&rules)
        guard rules != old else { return result }
        do throws(CredentialStoreError) {
            try DataFolder.replace(path, with: rules.json.serialized(indented: true) + [UInt8(ascii: "\n")])
        } catch {
            throw failure(error)
        }
        return result
    }

    private static func path() throws(CredentialStoreError) -> String { "\(try ToolStore(nil).folder)/\(name)" }

    private static func read(_ path: String) throws(CredentialStoreError) -> Self {
        try DataFolder.check(FileSystem.parent(of: path))
        guard let bytes = try DataFolder.contents(of: path, atMost: sizeLimit) else { return Self() }
        guard let rules = Self(json: bytes) else {
            throw CredentialStoreError(.corrupt, "\(path) is damaged, or a newer authhub wrote it; delete it to use no rules")
        }
        return rules
    }

    private static func failure(_ error: CredentialStoreError) -> Failure {
        Failure("store_failed", .storeFailed, error.explanation, hint: "fix the problem, or add --as NAME")
    }
}
