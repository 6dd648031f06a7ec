import HTTPLoading
public import HTTPTypes

/// A response that arrives only when the test releases it. Use it to test what happens during a request, without relying on timing.
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
/// Requests that arrive after the release get the same response immediately. If a waiting request's task is cancelled, the request fails
/// with
/// ``HTTPLoading/LoadError/Code/cancelled``.
public final class HeldAnswer: Sendable {
    private let latch = Latch<ScriptedAnswer>()

    /// Creates a response that is held until ``release(_:)`` is called.
    public init() {}

    /// Sends the response to all waiting requests, and to later ones. A second call has no effect.
    public func release(_ answer: ScriptedAnswer = .status(.ok)) {
        latch.open(answer)
    }

    func respond(to request: LoadRequest) async throws(LoadError) -> LoadResponse {
        guard let answer = await latch.wait() else { throw LoadError(.cancelled, for: request) }
        return try await answer.respond(request)
    }
}

extension ScriptedAnswer {
    /// Creates a response that arrives when the test releases it.
    public static func held(_ held: HeldAnswer) -> Self {
        Self { request throws(LoadError) in try await held.respond(to: request) }
    }

    /// A response that never arrives. The request ends only when it is cancelled.
    public static var never: Self { .held(HeldAnswer()) }
}
