import CredentialStorage
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What a client of the Secret Service is made of; tests hand in other parts.
package struct SecretServiceParts: Sendable {
    /// What libsecret is called.
    package var library = "libsecret-1.so.0"
    /// The address of the message bus; nil: that of the person's session.
    package var busAddress: String?
    /// How long one call may take.
    package var callLimit = Duration.seconds(3)
    package var environment: @Sendable (String) -> String? = processEnvironment

    package init() {}
}

/// Works with the Secret Service on threads that may block, over one connection that is made anew when it is lost.
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

/// What happens to a piece of work when its task is cancelled.
enum CancelledWork {
    case ends
    /// It may be saving the only copy of something, and does not take long.
    case goesOn
}

extension SecretServiceClient {
    func run<Success: Sendable>(
        whenCancelled: CancelledWork = .ends,
        _ work: @escaping @Sendable (ServiceSession) throws(CredentialStoreError) -> Success
    ) async throws(CredentialStoreError) -> Success {
        let cancellation = Cancellation()
        // Each on its own: a queue with several at once starts threads only slowly while others wait for a service that hangs.
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

    /// Asks the person, if the keyring needs them and they may be asked.
    func prepare() async throws(CredentialStoreError) {
        guard prompting != .never else { return }
        try await run { [collection, prompting] session throws(CredentialStoreError) in
            try session.prepareCollection(collection, prompting)
        }
    }
}
