import ArgumentParser
import AuthHubPrimitives
import CredentialStorage

/// The options for the store of the tokens, for all commands that use accounts.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where tokens are kept: auto, secret-service, file, plain (unencrypted) or postgresql:CONNECTION.", valueName: "store"))
    var store: String?

    /// The requested store; if nil, that of `AUTHHUB_STORE`, or else automatic.
    var choice: StoreChoice? { store.flatMap(StoreChoice.init(word:)) }

    func validate() throws {
        if let store { return try Self.check(store) }
        do throws(CredentialStoreError) {
            _ = try StoreChoice(variable: processEnvironment("AUTHHUB_STORE") ?? "")
        } catch {
            throw ValidationError("\(error.explanation).")
        }
    }

    /// Checks the name of a store.
    ///
    /// - Throws: ``ValidationError``, which never repeats the name, because it may contain a password.
    static func check(_ store: String) throws {
        let choice = StoreChoice(word: store)
        guard choice != nil else {
            throw ValidationError(
                "--store takes one of \(StoreChoice.words). For encrypted files in a folder of your own, set AUTHHUB_STORE to its path.")
        }
        guard case .postgreSQL(let connection)? = choice else { return }
        guard !PostgreSQLConnection.holdsPassword(connection.reveal()) else {
            throw ValidationError(
                "Everyone on this machine can read a password that is in a command line. Leave it out, and name a file in PGPASSFILE (or write ~/.pgpass), use a service file (service=NAME), or put the whole connection into AUTHHUB_STORE."
            )
        }
        #if !PostgreSQL
        throw ValidationError("This authhub was built without PostgreSQL. Build it with: swift build --traits PostgreSQL,AsyncHTTPClient")
        #endif
    }
}
