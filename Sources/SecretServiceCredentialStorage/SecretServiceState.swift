package import CredentialStorage

/// The current state of the Secret Service.
package struct SecretServiceState: Sendable {
    /// A condition of the service: `ready`, or the reason that records cannot be accessed now.
    package enum Condition: String, Sendable, Hashable, CaseIterable {
        case ready
        /// The keyring is locked; the user can unlock it.
        case locked
        /// The service has no default keyring yet; the user can create one.
        case noCollection = "no_keyring"
        /// No program on the message bus provides the service, and none can be started.
        case noService = "no_service"
        /// The message bus of the user's session is unknown, cannot be reached, or belongs to another user.
        case noBus = "no_message_bus"
        /// libsecret is not installed.
        case noLibrary = "no_library"
        /// The service or the bus does not respond.
        case timedOut = "timed_out"
        case failed
    }

    /// The condition; ``problem`` explains any other than `ready`.
    package let condition: Condition
    /// The program that provides the service, such as `gnome-keyring-daemon`, if known.
    package let program: String?
    /// What is wrong and what to do about it; nil if the service is ready.
    package let problem: CredentialStoreError?
}

extension SecretServiceStore {
    /// Returns the state of the service and this store's keyring without asking the user. Takes a few milliseconds if there is no bus, and
    /// seconds if something hangs.
    package func state() async -> SecretServiceState {
        await client.condition()
    }
}

extension SecretServiceClient {
    func condition() async -> SecretServiceState {
        do throws(CredentialStoreError) {
            return try await run { [collection] session throws(CredentialStoreError) in
                let program = try session.program()
                guard let path = try session.path(of: collection) else { return SecretServiceState(.noCollection, program) }
                guard try !session.isLocked(path) else { return SecretServiceState(.locked, program) }
                return SecretServiceState(condition: .ready, program: program, problem: nil)
            }
        } catch {
            return SecretServiceState(condition: error.serviceFailure?.condition ?? .failed, program: nil, problem: error)
        }
    }
}

extension SecretServiceState {
    fileprivate init(_ kind: ServiceFailure.Kind, _ program: String?) {
        let failure = ServiceFailure(kind)
        self.init(condition: failure.condition, program: program, problem: failure.storeError)
    }
}

extension ServiceFailure {
    fileprivate var condition: SecretServiceState.Condition {
        switch kind {
        case .noLibrary: .noLibrary
        case .noBus, .foreignBus: .noBus
        case .noService: .noService
        case .noCollection: .noCollection
        case .locked: .locked
        case .timedOut: .timedOut
        case .dismissed, .nobodyAnswered, .cancelled, .disconnected, .unknownObject, .forbidden, .other: .failed
        }
    }
}
