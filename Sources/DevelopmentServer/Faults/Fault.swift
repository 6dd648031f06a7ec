/// Something that goes wrong on order.
public enum Fault: Sendable, Hashable {
    /// An answer with this status and an empty JSON object, without the request being looked at.
    case status(Int, retryAfter: Duration? = nil)
    /// An OAuth error with status 400 (RFC 6749 §5.2), without the request being looked at.
    case oauthError(String)
    /// This answer, without the request being looked at.
    case answer(status: Int = 200, mediaType: String? = "application/json", body: String = "", header: [String: String] = [:])
    /// A web page with status 200, as a captive portal gives, without the request being looked at.
    case html
    /// An error whose description repeats the request's `Authorization` field and its body, plain and decoded. The request is not carried
    /// out.
    case echo(status: Int, mediaType: String = "application/json")
    /// The request is carried out, and its answer altered, one change after the other.
    case altered([AnswerChange])
    /// The connection ends without an answer, before the request is looked at.
    case dropConnection
    /// The request is carried out, but the connection ends without an answer: what the client has is spent, what it was to get is lost.
    case dropAnswer
    /// The request is carried out, but the answer breaks off in the middle.
    case truncated
    /// The request is carried out after this time.
    case delay(Duration)
    /// The request is carried out after ``Faults/releaseHeldRequests()``.
    case hold
}
