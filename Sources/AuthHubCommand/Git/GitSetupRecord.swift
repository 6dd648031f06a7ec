import AuthHubPrimitives
import CredentialStorage

/// The record of what was added to git's configuration, in the data folder. It contains nothing secret.
enum GitSetupRecord {
    private static let name = "git-setup.json"
    private static let sizeLimit = 1024 * 1024

    /// Locks the record, and with it git's configuration, against other processes of the tool.
    static func lock() async throws(Failure) -> FileLock {
        do throws(CredentialStoreError) {
            return try await DataFolder.lock(path())
        } catch {
            throw failure(error)
        }
    }

    /// Returns the insertions, the oldest first.
    static func read() throws(Failure) -> [GitInsertion] {
        do throws(CredentialStoreError) {
            let path = try path()
            try DataFolder.check(FileSystem.parent(of: path))
            guard let bytes = try DataFolder.contents(of: path, atMost: sizeLimit) else { return [] }
            guard let insertions = try? JSONValue(strict: bytes)["insertions"]?.array?.map(GitInsertion.init(json:)),
                insertions.allSatisfy({ $0 != nil })
            else { throw CredentialStoreError(.corrupt, "\(path) is damaged") }
            return insertions.compactMap { $0 }
        } catch {
            throw failure(error)
        }
    }

    /// Changes the record, while it is locked.
    static func change(_ body: (inout [GitInsertion]) -> Void) throws(Failure) {
        var insertions = try read()
        body(&insertions)
        let json: JSONValue = ["insertions": .array(insertions.map(\.json))]
        do throws(CredentialStoreError) {
            try DataFolder.replace(path(), with: json.serialized(indented: true) + [UInt8(ascii: "\n")])
        } catch {
            throw failure(error)
        }
    }

    private static func path() throws(CredentialStoreError) -> String { "\(try ToolStore(nil).folder)/\(name)" }

    private static func failure(_ error: CredentialStoreError) -> Failure {
        Failure(
            "store_failed", .storeFailed, error.explanation,
            hint: "fix the problem, or delete authhub's entries from git's configuration")
    }
}
