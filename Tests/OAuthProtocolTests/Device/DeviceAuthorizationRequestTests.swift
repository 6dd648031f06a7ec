import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

struct DeviceAuthorizationRequestTests {
    private func form(_ message: BackChannelRequest) throws -> FormParameters {
        try FormParameters(decoding: String(decoding: message.body.reveal(), as: UTF8.self))
    }

    @Test func `a request is a form with the scope and the client's authentication, RFC 8628 §3.1`() throws {
        let request = try deviceRequest()
        #expect(request.message.head.method == .post)
        #expect(request.message.head.path == "/device")
        #expect(request.message.head.headerFields[.accept] == "application/json")
        #expect(request.message.head.headerFields[.authorization] == "Basic YStjbGllbnQ6czNjcmV0")
        #expect(try form(request.message) == ["scope": "read write"])
        #expect(request.scope == ["read", "write"])
    }

    @Test func `a public client sends its ID in the form, and an empty scope sends no parameter`() throws {
        let request = try DeviceAuthorizationRequest(to: deviceServer, client: OAuthClient(id: "app"), scope: [])
        #expect(request.message.head.headerFields[.authorization] == nil)
        #expect(try form(request.message) == ["client_id": "app"])
    }

    @Test func `sends the parameters of a profile and a caller, but none that the request sets itself`() throws {
        var server = deviceServer
        server.quirks.requests.parameters[.deviceAuthorization] = ["audience": "api"]
        let request = try DeviceAuthorizationRequest(
            to: server, client: OAuthClient(id: "app"), scope: ["a"], parameters: ["organization": "o"])
        #expect(try form(request.message) == ["scope": "a", "audience": "api", "organization": "o", "client_id": "app"])
        for name in ["client_id", "client_secret", "scope", "audience"] {
            let parameters = FormParameters([.init(name: name, value: "x")])
            let refused = error { () throws(OAuthError) in
                try DeviceAuthorizationRequest(to: server, client: client, scope: [], parameters: parameters)
            }
            #expect(refused?.code == .misuse, "\(name)")
        }
    }

    @Test func `RFC 8707 §2: the request and each poll name the resources, each in a parameter of its own`() throws {
        let resources = try ["https://api.example/", "urn:example:files"].map { try #require(ResourceIndicator($0)) }
        let details = try AuthorizationDetails(json: [["type": "account_information"]])
        let request = try DeviceAuthorizationRequest(
            to: deviceServer, client: client, scope: ["a"], resources: resources, authorizationDetails: details)
        #expect(try form(request.message).values(named: "resource") == ["https://api.example/", "urn:example:files"])
        #expect(try form(request.message)["authorization_details"] == details.text)
        let poll = try TokenRequest.polling(for: deviceAuthorization(), resources: resources, client: client, at: deviceServer)
        #expect(try form(poll.message).values(named: "resource") == ["https://api.example/", "urn:example:files"])
        #expect(try form(poll.message)["authorization_details"] == nil)
    }

    @Test(arguments: [nil, "http://as.example/device", "https://u@as.example/device", "https://as.example/device#x", "device"])
    func `creates no request without a usable endpoint`(endpoint: String?) {
        var server = deviceServer
        server.endpoints?.deviceAuthorization = endpoint
        #expect(error { () throws(OAuthError) in try deviceRequest(to: server) }?.code == .configuration)
    }

    @Test func `a poll carries the device code and the grant type, RFC 8628 §3.4`() throws {
        let poll = try TokenRequest.polling(for: deviceAuthorization(), client: OAuthClient(id: "app"), at: deviceServer)
        #expect(poll.message.head.path == "/token")
        #expect(
            try form(poll.message) == [
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "d-1", "client_id": "app",
            ])
        #expect(poll.scope == ["read", "write"])
    }

    @Test func `GitHub demands no secret for devices, neither to poll nor to refresh, and accepts one if there is one`() throws {
        let app = OAuthClient(id: "Iv1")
        let request = try DeviceAuthorizationRequest(to: .gitHubApp, client: app, scope: [])
        #expect(request.message.head.path == "/login/device/code")
        #expect(try form(request.message) == ["client_id": "Iv1"])
        let poll = try TokenRequest.polling(for: deviceAuthorization(), client: app, at: .gitHubApp)
        #expect(try form(poll.message)["client_secret"] == nil)
        let renewal = try TokenRequest.refresh(Secret("r"), scope: [], client: app, at: .gitHubApp)
        #expect(try form(renewal.message)["client_secret"] == nil)
        let confidential = try TokenRequest.polling(for: deviceAuthorization(), client: client, at: .gitHubApp)
        #expect(try form(confidential.message)["client_secret"] == "s3cret")
    }
}
