public import AuthHubPrimitives

/// One thing that is altered in an answer on its way out. What does not fit the answer leaves it as it is.
public enum AnswerChange: Sendable, Hashable {
    case status(Int)
    /// nil takes the header field away.
    case header(String, String?)
    /// A member of a JSON body; nil takes it away. In a form body its text.
    case member(String, JSONValue?)
    /// A member in front of those of a JSON body, however many of its name there are.
    case repeatedMember(String, JSONValue)
    /// Text before and after the body.
    case surrounded(before: String = "", after: String = "")
    /// A parameter of the callback that a redirect leads to; nil takes it away.
    case parameter(String, String?)
    /// A parameter of the callback in addition to what is there.
    case repeatedParameter(String, String)
    /// Text at the end of the callback, as it is.
    case callbackSuffix(String)
    /// The callback's parameters in the fragment in place of the query.
    case parametersInFragment
}
