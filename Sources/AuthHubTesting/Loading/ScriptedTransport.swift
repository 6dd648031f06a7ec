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
        var requests: [LoadRequest] = []
        var unexpected: [String] = []
    }

    private let state: Mutex<State>

    public init(_ steps: [Step]) {
        state = Mutex(State(steps: steps[...]))
    }

    /// All requests that came, expected or not, in order.
    public var requests: [LoadRequest] {
        state.withLock { $0.requests }
    }

    /// - Throws: what the answer throws, or ``HTTPLoading/LoadError`` with `.invalidRequest` for a request that is not the next expected.
    public func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        let next: Result<ScriptedAnswer, LoadError> = state.withLock { state in
            state.requests.append(request)
            if let step = state.steps.first, step.matcher.matches(request) {
                state.steps.removeFirst()
                return .success(step.answer)
            }
            let expected = state.steps.first.map { $0.matcher.description } ?? "nothing more"
            let mismatch = "expected \(expected), but \(RequestMatcher.describe(request)) came"
            state.unexpected.append(mismatch)
            return .failure(LoadError(.invalidRequest, for: request, explanation: mismatch))
        }
        return try await next.get().respond(request)
    }

    /// Checks that the script was played to its end, and nothing else came.
    public func verifyFinished() throws(ScriptError) {
        let error = state.withLock { ScriptError(unexpected: $0.unexpected, unused: $0.steps.map { $0.matcher.description }) }
        guard error.unexpected.isEmpty, error.unused.isEmpty else { throw error }
    }
}

/// How the requests that came differ from the script of a ``ScriptedTransport``.
public struct ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Requests that were not the next expected.
    public let unexpected: [String]
    /// Steps that no request came for.
    public let unused: [String]

    public var description: String {
        (unexpected + unused.map { "expected \($0), but it never came" }).joined(separator: "\n")
    }
}
