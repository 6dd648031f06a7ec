import CredentialStorage
import Platform
import Synchronization

/// The parts of a Secret Service client; tests pass other parts.
package struct SecretServiceParts: Sendable {
    /// The file name of libsecret.
    package var library = "libsecret-1.so.0"
    /// The address of the message bus; if nil, the bus of the user's session.
    package var busAddress: String?
    /// The timeout of one call.
    package var callLimit = Duration.seconds(3)
    package var environment: @Sendable (String) -> String? = processEnvironment

    package init() {}
}

/// A client that calls the Secret Service on threads that may block, over one connection that is opened again if it is lost.
final class SecretServiceClient: Sendable {
    let collection: SecretServiceCollection
    let prompting: SecretServicePrompting
    let parts: SecretServiceParts
    #if !canImport(Darwin)
    let state = Mutex(LinkState())
    #endif

    init(collection: SecretServiceCollection, prompting: SecretServicePrompting, parts: SecretServiceParts) {
        self.collection = collection
        self.prompting = prompting
        self.parts = parts
    }
}

/// The behavior of an operation when its task is cancelled.
enum CancelledWork {
    case ends
    /// The operation continues: it may be saving the only copy of something, and it is short.
    case goesOn
}

extension SecretServiceClient {
    func run<Success: Sendable>(
        whenCancelled: CancelledWork = .ends,
        _ work: @escaping @Sendable (ServiceSession) throws(CredentialStoreError) -> Success
    ) async throws(CredentialStoreError) -> Success {
        let cancellation = Cancellation()
        // Each client has its own thread: a queue with several starts threads only slowly while others wait for a hanging service.
        let thread = BlockingCalls(named: "authhub.secret-service", concurrent: false)
        let result: Result<Success, CredentialStoreError> = await withTaskCancellationHandler {
            do throws(CredentialStoreError) {
                return .success(
                    try await thread.run { () throws(CredentialStoreError) in try self.runNow(cancellation, work) })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            if whenCancelled == .ends { cancellation.cancel() }
        }
        return try result.get()
    }

    /// Asks the user if the keyring requires it and the user may be asked.
    func prepare() async throws(CredentialStoreError) {
        guard prompting != .never else { return }
        try await run { [collection, prompting] session throws(CredentialStoreError) in
            try session.prepareCollection(collection, prompting)
        }
    }
}
