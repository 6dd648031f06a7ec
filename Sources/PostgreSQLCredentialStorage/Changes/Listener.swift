#if PostgreSQL
import AuthHubPrimitives
import CredentialStorage
import Synchronization

/// The store's connection that listens, made when somebody first wants to hear of something, and closed some time after the last one left.
final class Listener: Sendable {
    private let ear: Ear

    init(_ database: Database) {
        ear = Ear(database)
    }

    /// Ends it for good, and with it what listens.
    func stop() {
        ear.stop()
    }

    /// What changes from now on, whoever changes it.
    func changes() -> AsyncStream<CredentialChange> {
        let (stream, continuation) = AsyncStream.makeStream(of: CredentialChange.self, bufferingPolicy: .bufferingNewest(1_024))
        ear.add(continuation) { $0.changes[$1] = continuation }
        return stream
    }

    /// Something whenever the account's lease may have become free.
    func wakes(_ account: CredentialAccount.ID) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        ear.add(continuation) { $0.wakes[$1] = (account, continuation) }
        return stream
    }
}
#endif
