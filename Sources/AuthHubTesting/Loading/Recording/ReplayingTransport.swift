public import HTTPLoading
import HTTPTypes
import Synchronization

/// A transport that responds from a ``Recording`` without a network.
///
/// A request is matched by its method, its target and its body, each after redaction. Equal requests get their responses in the order of
/// the recording. A request that was not recorded, or not as often, fails with ``HTTPLoading/LoadError/Code/invalidRequest`` and is noted
/// for ``verifyFinished()``.
public final class ReplayingTransport: Transport {
    private struct State {
        var answers: [Recording.Request.Key: ArraySlice<Recording.Outcome>] = [:]
        var unexpected: [String] = []
    }

    private let redaction: Redaction
    private let bodyLimit: Int
    private let state: Mutex<State>

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - redaction: The redaction that the recording was created with.
    ///   - bodyLimit: The maximum size of a request body in bytes; 8 MiB by default.
    public init(_ recording: Recording, redaction: Redaction = Redaction(), bodyLimit: Int = 8 << 20) {
        self.redaction = redaction
        self.bodyLimit = bodyLimit
        var state = State()
        for exchange in recording.exchanges { state.answers[exchange.request.key, default: []].append(exchange.outcome) }
        self.state = Mutex(state)
    }

    /// Creates a transport from a file.
    ///
    /// - Throws: ``RecordingError`` with `.unreadable`, `.malformed` or `.unknownVersion`.
    public convenience init(
        readingFrom path: String, redaction: Redaction = Redaction(), bodyLimit: Int = 8 << 20
    ) throws(RecordingError) {
        self.init(try Recording(readingFrom: path), redaction: redaction, bodyLimit: bodyLimit)
    }

    /// Returns the next recorded response to an equal request, or throws the recorded error.
    ///
    /// - Throws: ``HTTPLoading/LoadError`` with `.invalidRequest` if no recorded response is left; otherwise, the recorded error.
    public func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        let content = try await request.body.collect(upTo: bodyLimit, for: request)
        let key = redaction.redacted(request.head, body: content, contentType: request.body.contentType).key
        let outcome = state.withLock { state -> Recording.Outcome? in
            let outcome = state.answers[key]?.popFirst()
            if outcome == nil { state.unexpected.append("no recorded response is left for \(RequestMatcher.describe(request))") }
            return outcome
        }
        switch outcome {
        case .response(let head, let body)?:
            return LoadResponse(head, body: .bytes(body))
        case .failure(let code)?:
            throw LoadError(code, for: request, explanation: "as recorded")
        case nil:
            throw LoadError(
                .invalidRequest, for: request, explanation: "no recorded response is left for \(RequestMatcher.describe(request))")
        }
    }

    /// Checks that the whole recording was played, and that there were no other requests.
    public func verifyFinished() throws(ScriptError) {
        let error = state.withLock { state in
            let unused = state.answers.flatMap { key, outcomes in outcomes.map { _ in "\(key.method.rawValue) \(key.target)" } }
            return ScriptError(unexpected: state.unexpected, unused: unused.sorted()).ifAny
        }
        if let error { throw error }
    }
}
