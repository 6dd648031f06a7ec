import HTTPLoading
public import HTTPTypes

/// A response that arrives when the test releases it, so that you can test what happens in the meantime without relying on timing.
///
/// ```swift
/// let held = HeldAnswer()
/// let transport = ScriptedTransport([.init(.get("/user"), .held(held))])
/// async let response = chain.load(request)
/// await transport.untilRequested()
/// …                                         // the request is in progress until the release
/// held.release(.json(["login": "mona"]))
/// ```
///
/// Requests that arrive after the release get the same response immediately. A request whose task is cancelled while it waits fails with
/// ``HTTPLoading/LoadError/Code/cancelled``.
public final class HeldAnswer: Sendable {
    private let latch = Latch<ScriptedAnswer>()

    /// Creates a response that is held until ``release(_:)`` is called.
    public init() {}

    /// Responds to all waiting requests. A second call has no effect.
    public func release(_ answer: ScriptedAnswer = .status(.ok)) {
        latch.open(answer)
    }

    func respond(to request: LoadRequest) async throws(LoadError) -> LoadResponse {
        guard let answer = await latch.wait() else { throw LoadError(.cancelled, for: request) }
        return try await answer.respond(request)
    }
}

extension ScriptedAnswer {
    /// Creates a response that the test releases.
    public static func held(_ held: HeldAnswer) -> Self {
        Self { request throws(LoadError) in try await held.respond(to: request) }
    }

    /// No response, until the request is cancelled.
    public static var never: Self { .held(HeldAnswer()) }
}
