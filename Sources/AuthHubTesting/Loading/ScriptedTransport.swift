public import HTTPLoading
import Synchronization

/// A transport that expects certain requests in a certain order and responds as the script says, without a network.
///
/// A request that the script does not expect fails and is noted, as is a step without a request. End a test with ``verifyFinished()``,
/// which throws an error with all differences:
///
/// ```swift
/// let transport = ScriptedTransport([
///     .init(.post("/token"), .json(["access_token": "canary"])),
///     .init(.get("/user"), .status(.ok)),
/// ])
/// …
/// try transport.verifyFinished()
/// ```
///
/// ``playing(_:_:)`` does this automatically. If you create a transport with a closure for reports, it reports differences when it is
/// deallocated without having been verified. Without a closure, differences are only reported if you ask for them.
///
/// ```swift
/// let transport = ScriptedTransport(steps) { Issue.record($0) }
/// ```
public final class ScriptedTransport: Transport {
    /// An expected request and its response.
    public struct Step: Sendable {
        let matcher: RequestMatcher
        let answer: ScriptedAnswer

        /// Creates a step from the expected request and the response to it.
        public init(_ matcher: RequestMatcher, _ answer: ScriptedAnswer) {
            self.matcher = matcher
            self.answer = answer
        }
    }

    private struct State {
        var steps: ArraySlice<Step>
        var log = RequestLog()
        var unexpected: [String] = []
        var isVerified = false

        var difference: ScriptError? { ScriptError(unexpected: unexpected, unused: steps.map { $0.matcher.description }).ifAny }
    }

    private let state: Mutex<State>
    private let report: (@Sendable (ScriptError) -> Void)?

    /// Creates a transport.
    ///
    /// - Parameter report: A closure that receives the differences from the script if the transport is deallocated without a call of
    ///   ``verifyFinished()``, or if something unexpected happened after the call. It is called on the thread that releases the transport.
    public init(_ steps: [Step], reportingTo report: (@Sendable (ScriptError) -> Void)? = nil) {
        state = Mutex(State(steps: steps[...]))
        self.report = report
    }

    deinit {
        guard let report, let difference = state.withLock({ $0.isVerified ? nil : $0.difference }) else { return }
        report(difference)
    }

    /// Runs a test with a script, and verifies at the end that the script was played as written.
    ///
    /// - Throws: The error of the test, or ``ScriptError``.
    public static func playing<Result>(
        _ steps: [Step], _ test: (ScriptedTransport) async throws -> Result
    ) async throws -> Result {
        let transport = ScriptedTransport(steps)
        let result = try await test(transport)
        try transport.verifyFinished()
        return result
    }

    /// All requests that were received, expected or not, in order.
    public var requests: [LoadRequest] {
        state.withLock { $0.log.requests }
    }

    /// Returns as soon as at least this number of requests has been received, even if they have no response yet, or the waiting task is
    /// cancelled.
    public func untilRequested(_ count: Int = 1) async {
        await state.withLock { $0.log.latch(for: count) }?.wait()
    }

    /// Responds to a request with the next step of the script.
    ///
    /// - Throws: The error of the step, or ``HTTPLoading/LoadError`` with `.invalidRequest` for a request that is not the expected one.
    public func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        let (next, latches) = state.withLock { state -> (Result<ScriptedAnswer, LoadError>, [Latch<Void>]) in
            let latches = state.log.append(request)
            if let step = state.steps.first, step.matcher.matches(request) {
                state.steps.removeFirst()
                return (.success(step.answer), latches)
            }
            let expected = state.steps.first.map { $0.matcher.description } ?? "nothing more"
            let mismatch = "expected \(expected), but received \(RequestMatcher.describe(request))"
            state.unexpected.append(mismatch)
            state.isVerified = false
            return (.failure(LoadError(.invalidRequest, for: request, explanation: mismatch)), latches)
        }
        for latch in latches { latch.open(()) }
        return try await next.get().respond(request)
    }

    /// Checks that the whole script was played, and that there were no other requests.
    public func verifyFinished() throws(ScriptError) {
        let difference = state.withLock { state in
            state.isVerified = true
            return state.difference
        }
        if let difference { throw difference }
    }
}
