public import AuthHubPrimitives

/// A change to a response before it is sent. A change that does not apply to the response has no effect.
public enum AnswerChange: Sendable, Hashable {
    case status(Int)
    /// A header field; nil removes it.
    case header(String, String?)
    /// A member of a JSON body; nil removes it. In a form body, its text.
    case member(String, JSONValue?)
    /// A member before those of a JSON body, even if it has others with the same name.
    case repeatedMember(String, JSONValue)
    /// Text before and after the body.
    case surrounded(before: String = "", after: String = "")
    /// A parameter of the callback URL in a redirect; nil removes it.
    case parameter(String, String?)
    /// An additional parameter of the callback URL.
    case repeatedParameter(String, String)
    /// Text that is appended to the callback URL unchanged.
    case callbackSuffix(String)
    /// The callback's parameters in the fragment instead of the query.
    case parametersInFragment
}
