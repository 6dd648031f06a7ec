#if !canImport(Darwin)
import CredentialStorage
import Dispatch
import Synchronization

extension SecretServiceClient {
    struct LinkState {
        var link: ServiceLink?
        /// Whether the service was available before: then it may return soon.
        var hasBeenLinked = false
    }

    /// The wait before each retry, in milliseconds: 1.5 seconds in total.
    private static let pauses = [20, 50, 130, 300, 500, 500]

    /// Runs an operation on this thread, and restarts it if the service was just (re)starting.
    ///
    /// - Parameter work: The operation. It may run several times, each time over a new connection.
    func runNow<Success>(
        _ cancellation: Cancellation, _ work: (ServiceSession) throws(CredentialStoreError) -> Success
    ) throws(CredentialStoreError) -> Success {
        guard let address = try (parts.busAddress.map(BusAddress.known) ?? .ofSession).resolved(environment: parts.environment) else {
            throw ServiceFailure(.noBus).storeError
        }
        let library = try LibSecret.open(parts.library)
        let calls = ServiceCalls(library: library, limit: parts.callLimit, cancellation: cancellation)
        var pauses = Self.pauses[...]
        while true {
            do throws(CredentialStoreError) {
                return try work(ServiceSession(calls: calls, link: link(address, calls)))
            } catch {
                guard let failure = error.serviceFailure else { throw error }
                if failure.losesLink { dropLink() }
                let mayPass = failure.mayPass || failure.kind == .noService && state.withLock { $0.hasBeenLinked }
                guard mayPass, !cancellation.isCancelled, let pause = pauses.popFirst() else { throw error }
                cancellation.pause(.milliseconds(pause))
            }
        }
    }

    private func link(_ address: String, _ calls: ServiceCalls) throws(CredentialStoreError) -> ServiceLink {
        if let link = state.withLock({ $0.link }), !link.isClosed { return link }
        let link = try ServiceLink.open(address, calls)
        return state.withLock { state in
            state.hasBeenLinked = true
            if let other = state.link, !other.isClosed { return other }
            state.link = link
            return link
        }
    }

    private func dropLink() {
        let dropped = state.withLock { state in
            defer { state.link = nil }
            return state.link
        }
        withExtendedLifetime(dropped) {}
    }
}

extension ServiceFailure {
    fileprivate var losesLink: Bool {
        switch kind {
        case .disconnected, .unknownObject, .noService, .timedOut, .noBus: true
        default: false
        }
    }
}
#else
extension SecretServiceClient {
    func runNow<Success>(
        _ cancellation: Cancellation, _ work: (ServiceSession) throws(CredentialStoreError) -> Success
    ) throws(CredentialStoreError) -> Success {
        throw ServiceFailure(.noLibrary, "this system has no Secret Service").storeError
    }
}
#endif
