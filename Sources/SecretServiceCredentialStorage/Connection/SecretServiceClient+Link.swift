#if !canImport(Darwin)
import CredentialStorage
import Dispatch
import Synchronization

extension SecretServiceClient {
    struct LinkState {
        var link: ServiceLink?
        /// Whether the service was there before: then it may come back in a moment.
        var hasBeenLinked = false
    }

    /// How long to wait before each new try, in milliseconds: 1.5 seconds together.
    private static let pauses = [20, 50, 130, 300, 500, 500]

    /// Runs a piece of work on this thread, and once more from its start where the service was just (re)starting.
    ///
    /// - Parameter work: May run several times, each time over a new connection.
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
