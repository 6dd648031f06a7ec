package import AuthHubPrimitives

/// The parameters that a caller or a profile adds to an authorization request.
extension AuthorizationRequest {
    /// The parameters that only the library sets, even if this request has no value for them.
    static let namesOfRequests = [
        "response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge", "code_challenge_method", "response_mode",
        "request", "request_uri",
    ]
    /// All names that a caller cannot add. `max_age` and `acr_values` are arguments, because their values are checked against the ID token,
    /// and the client's credentials and the code verifier are secrets.
    private static let namesNotToAdd = Set(
        namesOfRequests + ["max_age", "acr_values", "client_secret", "client_assertion", "client_assertion_type", "code_verifier"])

    /// Checks that a caller may add these parameters to a request, and that the classes and the age are usable.
    ///
    /// - Throws: ``OAuthError`` with `.misuse` if a class or the age is unusable, a parameter occurs twice or may not be added, or `prompt`
    ///   has another value next to `none` (OpenID Connect Core 1.0 §3.1.2.1).
    package static func check(_ parameters: FormParameters, acrValues: [String], maximumAge: Int?) throws(OAuthError) {
        guard acrValues.allSatisfy({ StepUpRequirement.isValid(acrValue: $0) }) else {
            throw OAuthError(.misuse, "an authentication context class is empty, too long, or has characters other than visible ASCII")
        }
        guard maximumAge.map({ $0 >= 0 }) ?? true else { throw OAuthError(.misuse, "the maximum age is negative") }
        for (index, parameter) in parameters.parameters.enumerated() {
            guard !parameter.name.isEmpty else { throw OAuthError(.misuse, "an additional parameter has no name") }
            guard !namesNotToAdd.contains(parameter.name.lowercased()) else {
                throw misuse(of: parameter.name, "cannot be added to a sign-in")
            }
            let isNew = !parameters.parameters[..<index].contains { $0.name.hasSameBytes(as: parameter.name) }
            guard isNew else { throw misuse(of: parameter.name, "is given twice") }
        }
        let prompts = parameters["prompt"]?.split(separator: " ") ?? []
        guard !prompts.contains("none") || prompts.count == 1 else {
            throw OAuthError(.misuse, "the prompt value none cannot be combined with other values")
        }
    }

    static func misuse(of name: String, _ problem: String) -> OAuthError {
        OAuthError(.misuse, "the parameter \(displayable(name, limit: 60)) \(problem)")
    }
}
