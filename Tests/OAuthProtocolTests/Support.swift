import AuthHubPrimitives
import HTTPTypes
import Platform
@testable import OAuthProtocol

let now = Date(timeIntervalSince1970: 1_800_000_000)
let redirectURI = "http://127.0.0.1:49152/callback"
let client = OAuthClient(id: "a client", secret: Secret("s3cret"))

/// A provider without quirks.
let plainServer = ProviderProfile(
    name: "plain", displayName: "Plain", issuer: "https://as.example",
    endpoints: Endpoints(
        authorization: "https://as.example/authorize", token: "https://as.example/token", revocation: "https://as.example/revoke"))

func authorizationRequest(
    to server: ProviderProfile = plainServer, scope: Scope = ["read"], redirectURI: String = redirectURI
) throws -> AuthorizationRequest {
    try AuthorizationRequest(to: server, client: client, redirectURI: redirectURI, scope: scope, at: now)
}

extension AuthorizationRequest {
    /// The parameters of the displayed URL.
    var query: FormParameters {
        get throws {
            try FormParameters(decoding: url.split(separator: "?", maxSplits: 1).last ?? "")
        }
    }
}

func tokenRequest(at server: ProviderProfile = plainServer) throws -> TokenRequest {
    try .refresh(Secret("old-refresh"), scope: ["read"], client: client, at: server)
}

func tokenResponse(
    _ body: String, status: Int = 200, mediaType: String? = "application/json", headers: HTTPFields = [:],
    from server: ProviderProfile = plainServer
) throws(OAuthError) -> TokenResponse {
    var head = HTTPResponse(status: .init(code: status), headerFields: headers)
    if let mediaType { head.headerFields[.contentType] = mediaType }
    return try TokenResponse(head, body: Secret(Array(body.utf8)), to: tokenRequest(for: client, at: server), from: server, at: now)
}

/// A client credentials request, which does not refresh a token.
func tokenRequest(for client: OAuthClient, at server: ProviderProfile = plainServer) throws(OAuthError) -> TokenRequest {
    try .clientCredentials(scope: ["read"], client: client, at: server)
}

/// The error that an operation throws.
func error<Success>(of work: () throws(OAuthError) -> Success) -> OAuthError? {
    do {
        _ = try work()
        return nil
    } catch {
        return error
    }
}

/// A JSON response with a status and header fields.
func answer(_ status: Int, mediaType: String? = "application/json", headers: HTTPFields = [:]) -> HTTPResponse {
    var head = HTTPResponse(status: .init(code: status), headerFields: headers)
    if let mediaType { head.headerFields[.contentType] = mediaType }
    return head
}

func bytes(_ text: String) -> Secret<[UInt8]> { Secret(Array(text.utf8)) }

extension BackChannelRequest {
    /// The body as form parameters.
    var form: FormParameters {
        get throws { try FormParameters(decoding: String(decoding: body.reveal(), as: UTF8.self)) }
    }
}
