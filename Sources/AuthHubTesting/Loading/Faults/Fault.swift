public import HTTPLoading
import HTTPTypes

/// Something that goes wrong between a chain and a server, and when it does.
///
/// ```swift
/// Fault(.failure(.cannotConnect), call: 1)                                  // the first connection fails
/// Fault(.answer(.status(.serviceUnavailable)), calls: 1...2, of: .get("/user"))
/// Fault(.lost(afterBytes: 100), chance: 0.1)                                // one body in ten breaks off
/// Fault(.delay(.seconds(2)))                                                // everything is slow
/// ```
public struct Fault: Sendable {
    /// What goes wrong.
    public enum Effect: Sendable {
        /// The request goes out later, by the clock of the ``FaultInjectingTransport``.
        case delay(Duration)
        /// The request is not sent, and ends in an error of this code.
        case failure(LoadError.Code)
        /// The request is not sent, and gets this answer, such as a status.
        case answer(ScriptedAnswer)
        /// The request is sent, and its connection lost before the response: nobody knows what the server did.
        case lostAfterSending
        /// The response's body breaks off after so many bytes, with ``HTTPLoading/LoadError/Code/connectionLost``. One that is no
        /// longer breaks off at its end; an empty one stays.
        case lost(afterBytes: Int)
        /// The response's body comes in chunks of so many bytes (at least one), each after a time.
        case slow(chunk: Int, every: Duration)
    }

    let effect: Effect
    let calls: ClosedRange<Int>?
    let matcher: RequestMatcher
    let chance: Double

    /// - Parameters:
    ///   - calls: Which of the requests that match, counted from 1; nil for all.
    ///   - matcher: Which requests count.
    ///   - chance: How likely it is each time, from 0 to 1.
    public init(_ effect: Effect, calls: ClosedRange<Int>? = nil, of matcher: RequestMatcher = .any, chance: Double = 1) {
        self.effect = effect
        self.calls = calls
        self.matcher = matcher
        self.chance = chance
    }

    /// - Parameter call: Which one of the requests that match, counted from 1.
    public init(_ effect: Effect, call: Int, of matcher: RequestMatcher = .any) {
        self.init(effect, calls: call...call, of: matcher)
    }
}
