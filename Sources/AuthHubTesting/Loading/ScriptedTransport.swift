public import HTTPLoading
import Synchronization

/// A transport that expects certain requests in a certain order and answers each as the script says; it reaches no network.
///
/// A request the script does not expect fails, and is remembered; so is a step that nobody asked for. A test ends with
/// ``verifyFinished()``, which throws what went otherwise than written:
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
/// ``playing(_:_:)`` does that by itself. A transport that is made with a closure for reports tells differences to it when it is let go
/// and nobody has verified it; without one, differences that are not asked for are not told.
///
/// ```swift
/// let transport = ScriptedTransport(steps) { Issue.record($0) }
/// ```
public final class ScriptedTransport: Transport {
    /// One request that is expected, and its answer.
    public struct Step: Sendable {
        let matcher: RequestMatcher
        let answer: ScriptedAnswer

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

    /// - Parameter report: Gets what differs from the script, where the transport is let go without ``verifyFinished()``, or where
    ///   something unexpected came after it. Called on whatever thread lets go last.
    public init(_ steps: [Step], reportingTo report: (@Sendable (ScriptError) -> Void)? = nil) {
        state = Mutex(State(steps: steps[...]))
        self.report = report
    }

    deinit {
        guard let report, let difference = state.withLock({ $0.isVerified ? nil : $0.difference }) else { return }
        report(difference)
    }

    /// Runs a test with a script, and verifies at its end that the script was played as written.
    ///
    /// - Throws: what the test throws, or ``ScriptError``.
    public static func playing<Result>(
        _ steps: [Step], _ test: (ScriptedTransport) async throws -> Result
    ) async throws -> Result {
        let transport = ScriptedTransport(steps)
        let result = try await test(transport)
        try transport.verifyFinished()
        return result
    }

    /// All requests that came, expected or not, in order.
    public var requests: [LoadRequest] {
        state.withLock { $0.log.requests }
    }

    /// Returns as soon as at least so many requests have come, answered or not; also where the waiting task is cancelled.
    public func untilRequested(_ count: Int = 1) async {
        await state.withLock { $0.log.latch(for: count) }?.wait()
    }

    /// - Throws: what the answer throws, or ``HTTPLoading/LoadError`` with `.invalidRequest` for a request that is not the next expected.
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

    /// Checks that the script was played to its end, and nothing else came.
    public func verifyFinished() throws(ScriptError) {
        let difference = state.withLock { state in
            state.isVerified = true
            return state.difference
        }
        if let difference { throw difference }
    }
}
