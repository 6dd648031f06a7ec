public import HTTPLoading
import Synchronization

/// A transport that expects certain requests in a certain order and responds as the script says, without a network.
///
/// A request that is not the expected one fails. At the end of a test, call ``verifyFinished()``: it throws an error that lists all
/// unexpected requests, and all steps whose request never arrived:
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
/// ``playing(_:_:)`` calls ``verifyFinished()`` for you. If you create a transport with a closure for reports, the transport passes
/// differences to the closure when it is deallocated without having been verified. Without a closure, only ``verifyFinished()`` reports
/// differences.
///
/// ```swift
/// let transport = ScriptedTransport(steps) { Issue.record($0) }
/// ```
public final class ScriptedTransport: Transport {
    /// An expected request, and the response to it.
    public struct Step: Sendable {
        let matcher: RequestMatcher
        let answer: ScriptedAnswer

        /// Creates a step from an expected request and the response to it.
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
    /// - Parameter report: Receives the differences from the script, if the transport is deallocated without a call of
    ///   ``verifyFinished()``, or if an unexpected request arrived after that call. It is called on the thread that releases the transport.
    public init(_ steps: [Step], reportingTo report: (@Sendable (ScriptError) -> Void)? = nil) {
        state = Mutex(State(steps: steps[...]))
        self.report = report
    }

    deinit {
        guard let report, let difference = state.withLock({ $0.isVerified ? nil : $0.difference }) else { return }
        report(difference)
    }

    /// Runs a test with a scripted transport, and verifies at the end that all steps were used.
    ///
    /// - Throws: The error of the test, or ``ScriptError`` if the requests differed from the script.
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

    /// Waits until at least this number of requests has been received, whether or not they have a response yet. Also returns if the waiting
    /// task is cancelled.
    public func untilRequested(_ count: Int = 1) async {
        await state.withLock { $0.log.latch(for: count) }?.wait()
    }

    /// Responds to a request with the next step of the script.
    ///
    /// - Throws: The error of the step; or ``HTTPLoading/LoadError`` with `.invalidRequest` if the request is not the expected one.
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

    /// Checks that every step of the script was used, and that there were no other requests.
    ///
    /// - Throws: ``ScriptError`` with all differences.
    public func verifyFinished() throws(ScriptError) {
        let difference = state.withLock { state in
            state.isVerified = true
            return state.difference
        }
        if let difference { throw difference }
    }
}
