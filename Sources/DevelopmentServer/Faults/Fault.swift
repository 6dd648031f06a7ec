/// A fault that is injected on request.
public enum Fault: Sendable, Hashable {
    /// A response with this status and an empty JSON object, without processing the request.
    case status(Int, retryAfter: Duration? = nil)
    /// An OAuth error with status 400 (RFC 6749 §5.2), without processing the request.
    case oauthError(String)
    /// This response, without processing the request.
    case answer(status: Int = 200, mediaType: String? = "application/json", body: String = "", header: [String: String] = [:])
    /// A web page with status 200, as from a captive portal, without processing the request.
    case html
    /// An error whose description repeats the request's `Authorization` field and its body, plain and decoded. The request is not executed.
    case echo(status: Int, mediaType: String = "application/json")
    /// The request is executed, and its response is changed by each change in order.
    case altered([AnswerChange])
    /// The connection is closed without a response, before the request is processed.
    case dropConnection
    /// The request is executed, but the connection is closed without a response: the client's code or token is used up, and the new tokens
    /// are lost.
    case dropAnswer
    /// The request is executed, but the response is truncated.
    case truncated
    /// The request is executed after this delay.
    case delay(Duration)
    /// The request is executed after ``Faults/releaseHeldRequests()``.
    case hold
}
