import AuthHubPrimitives
import HTTPTypes

@testable import OAuthProtocol

/// A provider that supports sign-in on other devices.
var deviceServer: ProviderProfile {
    var server = plainServer
    server.endpoints?.deviceAuthorization = "https://as.example/device"
    return server
}

func deviceRequest(to server: ProviderProfile = deviceServer, scope: Scope = ["read", "write"]) throws(OAuthError)
    -> DeviceAuthorizationRequest
{
    try DeviceAuthorizationRequest(to: server, client: client, scope: scope)
}

/// - Parameter members: The members after the codes and the verification URL.
func deviceAuthorization(
    _ members: String = #""expires_in":900,"interval":5"#, from server: ProviderProfile = deviceServer
) throws(OAuthError) -> DeviceAuthorization {
    try deviceAuthorization(
        body: #"{"device_code":"d-1","user_code":"ABCD-EFGH","verification_uri":"https://as.example/go",\#(members)}"#, from: server)
}

func deviceAuthorization(
    body: String, status: Int = 200, mediaType: String = "application/json", from server: ProviderProfile = deviceServer
) throws(OAuthError) -> DeviceAuthorization {
    let head = HTTPResponse(status: .init(code: status), headerFields: [.contentType: mediaType])
    return try DeviceAuthorization(head, body: Secret(Array(body.utf8)), to: deviceRequest(to: server), from: server)
}
