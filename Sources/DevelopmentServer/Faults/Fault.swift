/// A fault that the server injects into a request.
public enum Fault: Sendable, Hashable {
    /// The server returns this status and an empty JSON object, without processing the request.
    case status(Int, retryAfter: Duration? = nil)
    /// The server returns this OAuth error with status 400 (RFC 6749 §5.2), without processing the request.
    case oauthError(String)
    /// The server returns this response, without processing the request.
    case answer(status: Int = 200, mediaType: String? = "application/json", body: String = "", header: [String: String] = [:])
    /// The server returns a web page with status 200, as a captive portal does, without processing the request.
    case html
    /// The server returns an error whose description repeats the request's `Authorization` field and body, both as received and decoded.
    /// The request is not processed.
    case echo(status: Int, mediaType: String = "application/json")
    /// The request is processed, and its response is changed by each of the changes, in order.
    case altered([AnswerChange])
    /// The connection is closed without a response, before the request is processed.
    case dropConnection
    /// The request is processed, but the connection is closed without a response: the client's code or refresh token is used up, and the
    /// new tokens are lost.
    case dropAnswer
    /// The request is processed, but the response is truncated.
    case truncated
    /// The request is processed after this delay.
    case delay(Duration)
    /// The request is processed after the test calls ``Faults/releaseHeldRequests()``.
    case hold
}
