import AuthHubPrimitives
import CredentialStorage
import HTTPTypes
import OAuthProtocol
import Platform

@testable import AuthHub

let start = Date(timeIntervalSince1970: 1_800_000_000)

extension Credential {
    /// Creates a credential as if a server had issued it at `issuedAt`.
    static func making(
        _ token: String, lifetime: Int? = 3600, refreshToken: String? = "refresh", issuedAt: Date = start, sentAt: Date? = nil
    ) throws -> Credential {
        Credential(
            try .making(token, lifetime: lifetime, refreshToken: refreshToken, issuedAt: issuedAt), issuedAt: issuedAt, sentAt: sentAt)
    }
}

extension TokenResponse {
    /// Creates the response that a server would have sent at `issuedAt`.
    static func making(_ token: String, lifetime: Int?, refreshToken: String?, issuedAt: Date) throws -> TokenResponse {
        var members: JSONValue = ["access_token": .string(token), "token_type": "Bearer"]
        if case .object(var object) = members {
            object["expires_in"] = lifetime.map { .number(JSONNumber(Int64($0))) }
            object["refresh_token"] = refreshToken.map(JSONValue.string)
            members = .object(object)
        }
        let profile = ProviderProfile(
            name: "test", displayName: "Test",
            endpoints: Endpoints(authorization: "https://as.example/authorize", token: "https://as.example/token"))
        let request = try TokenRequest.refresh(Secret("r"), scope: [], client: OAuthClient(id: "client"), at: profile)
        return try TokenResponse(
            HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), body: Secret(members.serialized()), to: request,
            from: profile, at: issuedAt)
    }
}
