import AuthHubPrimitives
import HTTPTypes

/// An error of the token and revocation endpoints, in the words of RFC 6749 §5.2.
struct TokenError: Error, Hashable, Sendable {
    enum Code: String, Sendable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case unsupportedGrantType = "unsupported_grant_type"
        case invalidScope = "invalid_scope"
    }

    let code: Code
    let description: String
    /// What GitHub calls it.
    var gitHubCode: GitHubCode = .badVerificationCode

    enum GitHubCode: String, Sendable {
        case badVerificationCode = "bad_verification_code"
        case incorrectClientCredentials = "incorrect_client_credentials"
        case redirectURIMismatch = "redirect_uri_mismatch"
        case badRefreshToken = "bad_refresh_token"
        case unsupportedGrantType = "unsupported_grant_type"
    }
}

extension TokenError {
    init(_ error: ClientAuthenticationError) {
        switch error {
        case .ambiguous:
            self.init(
                code: .invalidRequest, description: "The client authenticates in more than one way.",
                gitHubCode: .incorrectClientCredentials)
        case .failed:
            self.init(
                code: .invalidClient, description: "The client is unknown or its secret is wrong.", gitHubCode: .incorrectClientCredentials)
        }
    }

    init(code refusal: GrantRefusal) {
        let reason =
            switch refusal {
            case .unknown, .otherClient: "The code is unknown."
            case .expired: "The code has expired."
            case .usedBefore: "The code was used before; what was issued for it is revoked."
            case .redirectURIDiffers: "The redirect_uri is not that of the authorization request."
            case .verifierMissing: "The code_verifier is missing."
            case .verifierWithoutChallenge: "There is a code_verifier, but there was no code_challenge."
            case .verifierWrong: "The code_verifier does not fit the code_challenge."
            case .scopeNotGranted: "The scope was not granted."
            }
        self.init(
            code: .invalidGrant, description: reason,
            gitHubCode: refusal == .redirectURIDiffers ? .redirectURIMismatch : .badVerificationCode)
    }

    init(refreshToken refusal: GrantRefusal) {
        switch refusal {
        case .scopeNotGranted:
            self.init(code: .invalidScope, description: "The scope is wider than what was granted.", gitHubCode: .badRefreshToken)
        case .usedBefore:
            self.init(
                code: .invalidGrant, description: "The refresh token was used before; all that descends from it is revoked.",
                gitHubCode: .badRefreshToken)
        case .expired: self.init(code: .invalidGrant, description: "The refresh token has expired.", gitHubCode: .badRefreshToken)
        default: self.init(code: .invalidGrant, description: "The refresh token is unknown or revoked.", gitHubCode: .badRefreshToken)
        }
    }
}

extension TokenError {
    /// RFC 6749 §5.2: 400, but 401 with a challenge for a client that is not who it says it is.
    func standardAnswer(issuer: String) -> Answer {
        var answer = Answer.json(
            ["error": .string(code.rawValue), "error_description": .string(description)],
            status: code == .invalidClient ? .unauthorized : .badRequest)
        if code == .invalidClient { answer.headers[.wwwAuthenticate] = "Basic realm=\"\(issuer)\"" }
        return answer.notStored()
    }

    /// GitHub reports errors with status 200, its own codes and an address that explains them.
    var gitHubParameters: FormParameters {
        let (description, page) =
            switch gitHubCode {
            case .badVerificationCode:
                ("The code passed is incorrect or expired.", "troubleshooting-oauth-app-access-token-request-errors/#bad-verification-code")
            case .incorrectClientCredentials:
                (
                    "The client_id and/or client_secret passed are incorrect.",
                    "troubleshooting-oauth-app-access-token-request-errors/#incorrect-client-credentials"
                )
            case .redirectURIMismatch:
                (
                    "The redirect_uri MUST match the registered callback URL for this application.",
                    "troubleshooting-oauth-app-access-token-request-errors/#redirect-uri-mismatch2"
                )
            case .badRefreshToken:
                ("The refresh token passed is incorrect or expired.", "troubleshooting-oauth-app-access-token-request-errors")
            case .unsupportedGrantType: ("The grant_type passed is not supported.", "troubleshooting-oauth-app-access-token-request-errors")
            }
        return [
            "error": gitHubCode.rawValue, "error_description": description,
            "error_uri": "https://docs.github.com/apps/managing-oauth-apps/" + page,
        ]
    }
}
