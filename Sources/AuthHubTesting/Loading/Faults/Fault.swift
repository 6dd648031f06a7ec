public import HTTPLoading
import HTTPTypes

/// A fault between a chain and a server, and the requests that it affects.
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
        /// The request is delayed before it is sent, by the clock of the ``FaultInjectingTransport``.
        case delay(Duration)
        /// The request is not sent, and fails with an error of this code.
        case failure(LoadError.Code)
        /// The request is not sent, and gets this response.
        case answer(ScriptedAnswer)
        /// The request is sent, but the connection is lost before the response arrives, so that it is unknown what the server did.
        case lostAfterSending
        /// The response's body breaks off after this number of bytes, with ``HTTPLoading/LoadError/Code/connectionLost``. A shorter body
        /// breaks off at its end. An empty body is not affected.
        case lost(afterBytes: Int)
        /// The response's body arrives in chunks of this number of bytes (at least one), with a delay before each chunk.
        case slow(chunk: Int, every: Duration)
    }

    let effect: Effect
    let calls: ClosedRange<Int>?
    let matcher: RequestMatcher
    let chance: Double

    /// Creates a fault for a range of requests, or for requests chosen at random.
    ///
    /// - Parameters:
    ///   - calls: Which of the matching requests are affected, counting from 1; nil for all.
    ///   - matcher: The requests that are counted.
    ///   - chance: The probability that a request is affected, from 0 to 1.
    public init(_ effect: Effect, calls: ClosedRange<Int>? = nil, of matcher: RequestMatcher = .any, chance: Double = 1) {
        self.effect = effect
        self.calls = calls
        self.matcher = matcher
        self.chance = chance
    }

    /// Creates a fault for a single request.
    ///
    /// - Parameter call: Which of the matching requests is affected, counting from 1.
    public init(_ effect: Effect, call: Int, of matcher: RequestMatcher = .any) {
        self.init(effect, calls: call...call, of: matcher)
    }
}
