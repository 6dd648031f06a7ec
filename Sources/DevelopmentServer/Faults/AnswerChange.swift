public import AuthHubPrimitives

/// A change to a response before the server sends it. A change that does not apply to the response has no effect.
public enum AnswerChange: Sendable, Hashable {
    case status(Int)
    /// Sets a header field; nil removes the field. `{issuer}` stands for the issuer.
    case header(String, String?)
    /// Sets a member of a JSON body, or the text of a parameter in a form body; nil removes it. In strings, `{issuer}` stands for the
    /// issuer.
    case member(String, JSONValue?)
    /// Adds a member at the start of a JSON body, even if the body already has a member with this name.
    case repeatedMember(String, JSONValue)
    /// Adds text before and after the body.
    case surrounded(before: String = "", after: String = "")
    /// Sets a parameter of the callback URL in a redirect; nil removes the parameter.
    case parameter(String, String?)
    /// Adds a parameter to the callback URL, even if the URL already has a parameter with this name.
    case repeatedParameter(String, String)
    /// Appends text to the callback URL, unchanged.
    case callbackSuffix(String)
    /// Moves the callback's parameters from the query to the fragment.
    case parametersInFragment
    /// Sets a claim of the ID token in a token response, or of a signed userinfo response, and signs it again; nil removes the claim. In
    /// all strings, `{issuer}` stands for the issuer.
    case claim(String, JSONValue?)
    /// Appends text to a claim that is a string.
    case claimSuffix(String, String)
    /// Sets a claim to a time, in seconds from now.
    case claimTime(String, Int64)
    /// Sets a claim to an array of its present value and these values.
    case claimArray(String, [JSONValue])
    /// Sets a member of the token's header, and signs the token again; nil removes the member.
    case joseHeader(String, JSONValue?)
    /// Changes the signature of the token, after all changes to its content.
    case signature(SignatureChange)
    /// Changes the token as a whole.
    case token(TokenChange)
    /// Changes the token after its encryption.
    case encryption(EncryptionChange)
    /// Changes the published keys.
    case keySet(KeySetChange)
}
