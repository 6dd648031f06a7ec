import AuthHubPrimitives
import Testing

@testable import OAuthProtocol

/// The codes with which servers report that the user declined.
struct DeniedCodeTests {
    @Test(arguments: [
        "access_denied", "user_cancelled_login", "user_cancelled_authorize", "cancelled", "canceled", "user_denied", "access-denied",
        "AccessDenied", "ACCESS_DENIED", "accessDenied", "authorization_declined", "consent_declined", "login_cancelled", "user.rejected",
        "cancelled_by_user", "user_canceled", "authorization denied",
    ])
    func `AR70: a code of its own for a user who declined means access_denied`(code: String) {
        let error = ServerError(told: code, explanation: nil, uri: nil, without: Redaction([]))
        #expect(error.code == .accessDenied && error.originalCode == code)
    }

    @Test(arguments: [
        "invalid_grant", "request_denied", "invalid_client", "login_required", "access", "user", "consent_required",
        "temporarily_unavailable", "user_not_found", "client_rejected", "unauthorized_client", "", "__", "undenied", "ACCESSDENIEDBUTNOT",
    ])
    func `AR70: any other code stays as it is`(code: String) {
        #expect(ServerError(told: code, explanation: nil, uri: nil, without: Redaction([])).code.rawValue == code)
    }

    @Test func `AR70: a provider's own description decides first`() throws {
        var server = plainServer
        server.quirks.responses.errorCodes = ["declined": .temporarilyUnavailable]
        let failure = error { () throws(OAuthError) in try tokenResponse(#"{"error":"declined"}"#, status: 400, from: server) }
        #expect(failure?.serverError?.code == .temporarilyUnavailable)
        let other = error { () throws(OAuthError) in try tokenResponse(#"{"error":"user_denied"}"#, status: 400, from: server) }
        #expect(other?.serverError?.code == .accessDenied)
    }
}
