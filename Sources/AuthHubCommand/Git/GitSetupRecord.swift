import AuthHubPrimitives
import CredentialStorage

/// The record of what was added to git's configuration, in the data folder. It contains nothing secret.
enum GitSetupRecord {
    private static let name = "git-setup.json"
    private static let sizeLimit = 1024 * 1024

    /// Returns the insertions, the oldest first.
    static func read() throws(Failure) -> [GitInsertion] {
        do throws(CredentialStoreError) {
            let folder = try ToolStore(nil).folder
            try DataFolder.check(folder)
            guard let bytes = try DataFolder.contents(of: "\(folder)/\(name)", atMost: sizeLimit) else { return [] }
            guard let insertions = try? JSONValue(strict: bytes)["insertions"]?.array?.map(GitInsertion.init(json:)),
                insertions.allSatisfy({ $0 != nil })
            else { throw CredentialStoreError(.corrupt, "\(folder)/\(name) is damaged") }
            return insertions.compactMap { $0 }
        } catch {
            throw failure(error)
        }
    }

    static func change(_ body: (inout [GitInsertion]) -> Void) throws(Failure) {
        var insertions = try read()
        body(&insertions)
        let json: JSONValue = ["insertions": .array(insertions.map(\.json))]
        do throws(CredentialStoreError) {
            try DataFolder.replace("\(try ToolStore(nil).folder)/\(name)", with: json.serialized(indented: true) + [UInt8(ascii: "\n")])
        } catch {
            throw failure(error)
        }
    }

    private static func failure(_ error: CredentialStoreError) -> Failure {
        Failure(
            "store_failed", .storeFailed, error.explanation,
            hint: "fix the problem, or delete authhub's entries from git's configuration")
    }
}
