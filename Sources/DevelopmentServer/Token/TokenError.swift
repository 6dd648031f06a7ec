/// An error of the token and revocation endpoints, with a code of RFC 6749 §5.2.
struct TokenError: Error, Hashable, Sendable {
    enum Code: String, Sendable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case unsupportedGrantType = "unsupported_grant_type"
        case invalidScope = "invalid_scope"
        case invalidTarget = "invalid_target"
        case invalidAuthorizationDetails = "invalid_authorization_details"
        case unauthorizedClient = "unauthorized_client"
        case authorizationPending = "authorization_pending"
        case slowDown = "slow_down"
        case expiredToken = "expired_token"
        case accessDenied = "access_denied"
    }

    let code: Code
    let description: String
    /// The cause, for servers with their own names for it.
    var occasion = Persona.ErrorQuirks.Occasion.code
    /// The new minimum interval between polls.
    var newInterval: Duration?
}

extension TokenError {
    init(_ error: ClientAuthenticationError) {
        switch error {
        case .ambiguous:
            self.init(
                code: .invalidRequest, description: "The client uses more than one authentication method.",
                occasion: .client)
        case .failed:
            self.init(
                code: .invalidClient, description: "The client is unknown or its secret is wrong.", occasion: .client)
        case .assertion(let problem):
            self.init(code: .invalidClient, description: "The client assertion \(problem).", occasion: .client)
        }
    }

    init(code refusal: GrantRefusal) {
        let reason =
            switch refusal {
            case .unknown, .otherClient: "The code is unknown."
            case .expired: "The code has expired."
            case .usedBefore: "The code was already used; the tokens issued for it are revoked."
            case .redirectURIDiffers: "The redirect_uri differs from the authorization request's."
            case .verifierMissing: "The code_verifier is missing."
            case .verifierRefused: "This client must not send a code_verifier."
            case .verifierWithoutChallenge: "There is a code_verifier, but there was no code_challenge."
            case .verifierWrong: "The code_verifier does not match the code_challenge."
            case .scopeNotGranted: "The scope was not granted."
            }
        self.init(
            code: .invalidGrant, description: reason,
            occasion: refusal == .redirectURIDiffers ? .redirectURI : .code)
    }

    init(refreshToken refusal: GrantRefusal) {
        switch refusal {
        case .scopeNotGranted:
            self.init(code: .invalidScope, description: "The scope exceeds the granted scope.", occasion: .refreshToken)
        case .usedBefore:
            self.init(
                code: .invalidGrant, description: "The refresh token was already used; all tokens derived from it are revoked.",
                occasion: .refreshToken)
        case .expired: self.init(code: .invalidGrant, description: "The refresh token has expired.", occasion: .refreshToken)
        default: self.init(code: .invalidGrant, description: "The refresh token is unknown or revoked.", occasion: .refreshToken)
        }
    }
}
