import ArgumentParser
import AuthHubPrimitives
import CredentialStorage

/// The options for the store of the tokens, for all commands that use accounts.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The credential store: auto, secret-service, file, plain (unencrypted) or postgresql:CONNECTION.", valueName: "store"),
        completion: .list(["auto"] + StoreChoice.namedWords))
    var store: String?

    /// The requested store; if nil, that of `AUTHHUB_STORE`, or else automatic.
    var choice: StoreChoice? { store.flatMap(StoreChoice.init(word:)) }

    /// The option ` --store STORE`, if it was typed, without the connection to a database, which is private.
    var suffix: String { store.map { " --store " + StoreChoice.shown($0).shellWord } ?? "" }

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
                "--store must be one of \(StoreChoice.words). For encrypted files in another folder, set AUTHHUB_STORE to its path.")
        }
        guard case .postgreSQL(let connection)? = choice else { return }
        guard !PostgreSQLConnection.holdsPassword(connection.reveal()) else {
            throw ValidationError(
                "Every user of this machine can read a password on the command line. Leave it out and name a file in PGPASSFILE (or write ~/.pgpass), use a service file (service=NAME), or put the whole connection string into AUTHHUB_STORE."
            )
        }
        #if !PostgreSQL
        throw ValidationError("This authhub was built without PostgreSQL. Build it with: swift build --traits PostgreSQL,AsyncHTTPClient")
        #endif
    }
}
