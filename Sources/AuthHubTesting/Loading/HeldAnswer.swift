import HTTPLoading
public import HTTPTypes

/// An answer that comes when the test says so: what happens meanwhile can be tested without guessing at times.
///
/// ```swift
/// let held = HeldAnswer()
/// let transport = ScriptedTransport([.init(.get("/user"), .held(held))])
/// async let response = chain.load(request)
/// await transport.untilRequested()
/// …                                         // the request is under way, and stays so
/// held.release(.json(["login": "mona"]))
/// ```
///
/// Requests that come after the release are answered at once, in the same way. One whose task is cancelled while it waits ends in
/// ``HTTPLoading/LoadError/Code/cancelled``.
public final class HeldAnswer: Sendable {
    private let latch = Latch<ScriptedAnswer>()

    public init() {}

    /// Answers all who wait. A second call does nothing.
    public func release(_ answer: ScriptedAnswer = .status(.ok)) {
        latch.open(answer)
    }

    func respond(to request: LoadRequest) async throws(LoadError) -> LoadResponse {
        guard let answer = await latch.wait() else { throw LoadError(.cancelled, for: request) }
        return try await answer.respond(request)
    }
}

extension ScriptedAnswer {
    /// An answer that the test releases.
    public static func held(_ held: HeldAnswer) -> Self {
        Self { request throws(LoadError) in try await held.respond(to: request) }
    }

    /// No answer, until the load is cancelled.
    public static var never: Self { .held(HeldAnswer()) }
}
