import AuthHub
import CredentialStorage
import OAuthProtocol

extension Failure {
    /// Creates a failure from an error of any kind.
    ///
    /// - Parameter make: Returns the failure for a session's error.
    init(cause error: any Error, _ make: (SessionError) -> Failure = { Failure($0) }) {
        switch error {
        case let failure as Failure: self = failure
        case let error as SessionError: self = make(error)
        case let error as CredentialStoreError: self.init(error)
        case let error as OAuthError:
            self = make(
                SessionError(
                    error.code == .securityCheckFailed ? .securityCheckFailed : .misconfigured, error.explanation, underlying: error))
        default: self = make(SessionError(.misconfigured, "an unexpected error of type \(type(of: error))", underlying: error))
        }
    }
}

extension Failure {
    /// Runs a closure, and translates its errors to failures of the tool.
    static func translating<Value>(_ work: () throws -> Value) throws(Failure) -> Value {
        do {
            return try work()
        } catch {
            throw Failure(cause: error)
        }
    }

    /// Runs a closure, and translates its errors to failures of the tool.
    static func translating<Value>(_ work: () async throws -> Value) async throws(Failure) -> Value {
        do {
            return try await work()
        } catch {
            throw Failure(cause: error)
        }
    }
}
