import ArgumentParser
import AuthHubPrimitives

/// Where the tokens are kept; common to all commands that use accounts.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where tokens are kept: auto, secret-service, file, plain (unencrypted) or postgresql:CONNECTION.", valueName: "store"))
    var store: String?

    /// Nil: what `AUTHHUB_STORE` says, or else automatic.
    var choice: StoreChoice? { store.flatMap(StoreChoice.init(word:)) }

    // The messages never repeat the word: there may be a password in it.
    func validate() throws {
        guard let store else { return }
        guard StoreChoice(word: store) != nil else {
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
