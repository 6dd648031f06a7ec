public import HTTPLoading
import HTTPTypes

/// A fault between a chain and a server, and the condition under which it occurs.
///
/// ```swift
/// Fault(.failure(.cannotConnect), call: 1)                                  // the first connection fails
/// Fault(.answer(.status(.serviceUnavailable)), calls: 1...2, of: .get("/user"))
/// Fault(.lost(afterBytes: 100), chance: 0.1)                                // one body in ten breaks off
/// Fault(.delay(.seconds(2)))                                                // everything is slow
/// ```
public struct Fault: Sendable {
    /// The effect of a fault.
    public enum Effect: Sendable {
        /// The request is sent later, by the clock of the ``FaultInjectingTransport``.
        case delay(Duration)
        /// The request is not sent, and fails with an error of this code.
        case failure(LoadError.Code)
        /// The request is not sent, and gets this response, such as a status.
        case answer(ScriptedAnswer)
        /// The request is sent, and the connection is lost before the response, so that it is unknown what the server did.
        case lostAfterSending
        /// The response's body breaks off after this number of bytes, with ``HTTPLoading/LoadError/Code/connectionLost``. A body that is
        /// not longer breaks off at its end; an empty body is not affected.
        case lost(afterBytes: Int)
        /// The response's body arrives in chunks of this number of bytes (at least one), each after a delay.
        case slow(chunk: Int, every: Duration)
    }

    let effect: Effect
    let calls: ClosedRange<Int>?
    let matcher: RequestMatcher
    let chance: Double

    /// Creates a fault for several calls, or by chance.
    ///
    /// - Parameters:
    ///   - calls: The numbers of the matching requests that are affected, starting with 1; nil for all.
    ///   - matcher: The requests that count.
    ///   - chance: The probability for each request, from 0 to 1.
    public init(_ effect: Effect, calls: ClosedRange<Int>? = nil, of matcher: RequestMatcher = .any, chance: Double = 1) {
        self.effect = effect
        self.calls = calls
        self.matcher = matcher
        self.chance = chance
    }

    /// Creates a fault for a single call.
    ///
    /// - Parameter call: The number of the matching request that is affected, starting with 1.
    public init(_ effect: Effect, call: Int, of matcher: RequestMatcher = .any) {
        self.init(effect, calls: call...call, of: matcher)
    }
}
