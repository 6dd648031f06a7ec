import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

/// RFC 9700 §4.4: metadata that names another server's authorization endpoint.
struct MixUpDefenceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var issuer = "https://as.example"
        var authorization = "https://honest.example/authorize"
        var token = "https://as.example/token"
        var more = ""
        var client = OAuthClient(id: "client")
        var overrides = EndpointOverrides()
        let isTaken: Bool
    }

    static let rows: [Row] = [
        Row(testDescription: "DD25 another server's authorization endpoint", isTaken: false),
        Row(testDescription: "DD25 another port", authorization: "https://as.example:8443/authorize", isTaken: false),
        Row(
            testDescription: "DD25 iss is declared as unsupported", more: #","authorization_response_iss_parameter_supported":false"#,
            isTaken: false),
        Row(testDescription: "DD25 iss is promised", more: #","authorization_response_iss_parameter_supported":true"#, isTaken: true),
        Row(
            testDescription: "DD25 both endpoints of another server, and its own token endpoint", token: "https://honest.example/token",
            more: #","revocation_endpoint":"https://as.example/revoke""#, isTaken: false),
        Row(
            testDescription: "DD25 both endpoints of another server, and its own UserInfo endpoint", token: "https://honest.example/token",
            more: #","userinfo_endpoint":"https://as.example/userinfo""#, isTaken: false),
        Row(
            testDescription: "DD25 both endpoints of another server, and its own endpoint for pushed requests, which it demands",
            token: "https://honest.example/token",
            more: #","require_pushed_authorization_requests":true,"pushed_authorization_request_endpoint":"https://as.example/par""#,
            isTaken: false),
        Row(
            testDescription: "DD25 its own endpoint for pushed requests, even if iss is promised", token: "https://honest.example/token",
            more:
                #","require_pushed_authorization_requests":true,"pushed_authorization_request_endpoint":"https://as.example/par","authorization_response_iss_parameter_supported":true"#,
            isTaken: false),
        Row(
            testDescription: "DD25 iss is promised, and pushed requests are sent to the origin of the token endpoint",
            more:
                #","require_pushed_authorization_requests":true,"pushed_authorization_request_endpoint":"https://as.example/par","authorization_response_iss_parameter_supported":true"#,
            isTaken: true),
        Row(
            testDescription: "DD25 an endpoint for pushed requests of the same server", token: "https://honest.example/token",
            more: #","require_pushed_authorization_requests":true,"pushed_authorization_request_endpoint":"https://honest.example/par""#,
            isTaken: true),
        Row(
            testDescription: "DD25 its own endpoint for pushed requests, which is not used", token: "https://honest.example/token",
            more: #","pushed_authorization_request_endpoint":"https://as.example/par""#, isTaken: true),
        Row(
            testDescription: "both on a different origin than the issuer", authorization: "https://login.example/a",
            token: "https://login.example/t", isTaken: true),
        Row(
            testDescription: "DD25 the program sets the token endpoint", overrides: .init(token: "https://as.example/token"), isTaken: true),
        Row(
            testDescription: "DD25 the program sets the authorization endpoint",
            overrides: .init(authorization: "https://honest.example/authorize"), isTaken: true),
        Row(
            testDescription: "DD25 the program sets another endpoint", overrides: .init(deviceAuthorization: "https://as.example/device"),
            isTaken: false),
        Row(
            testDescription: "DD25 a redirect URI of this issuer, which it can register elsewhere",
            client: OAuthClient(id: "client", redirectURI: .loopback(forClientsOf: "https://as.example")), isTaken: false),
        Row(
            testDescription: "DD25 a redirect URI of another issuer",
            client: OAuthClient(id: "client", redirectURI: .loopback(forClientsOf: "https://honest.example")), isTaken: false),
        Row(
            testDescription: "DD25 Google's own endpoints, as in the built-in profile", issuer: "https://accounts.google.com",
            authorization: "https://accounts.google.com/o/oauth2/v2/auth", token: "https://oauth2.googleapis.com/token", isTaken: true),
        Row(
            testDescription: "DD25 Google's issuer with another token endpoint", issuer: "https://accounts.google.com",
            authorization: "https://accounts.google.com/o/oauth2/v2/auth", token: "https://evil.example/token", isTaken: false),
    ]

    @Test(arguments: rows)
    func `DD25: accepts endpoints on two origins only if there is evidence that they belong together`(row: Row) throws {
        let issuer = try Issuer(row.issuer)
        let text = """
            {"issuer":"\(row.issuer)","authorization_endpoint":"\(row.authorization)","token_endpoint":"\(row.token)"\(row.more)}
            """
        let metadata = try ServerMetadata(.init(status: .ok), body: Secret(Array(text.utf8)), of: issuer)
        for profile in [
            ProviderProfile.issuer(issuer).overriding(row.overrides).applying(metadata),
            ProviderProfile.issuer(issuer).applying(metadata).overriding(row.overrides),
        ] {
            let failure = error { () throws(OAuthError) in
                try AuthorizationRequest(to: profile, client: row.client, redirectURI: redirectURI, scope: [], at: now)
            }
            #expect(failure?.code == (row.isTaken ? nil : .unconfirmedEndpoints))
            if !row.isTaken { #expect(failure?.explanation.contains("set the token endpoint yourself") == true) }
        }
    }

    @Test(arguments: [
        ("https://honest.example/device", EndpointOverrides(), false), ("https://as.example/device", EndpointOverrides(), true),
        ("https://honest.example/device", EndpointOverrides(token: "https://as.example/token"), true),
        ("https://as.example/device", EndpointOverrides(deviceAuthorization: "https://honest.example/device"), true),
    ])
    func `DD25: redeems a device code only at the origin that issued it, even if iss is promised`(
        device: String, overrides: EndpointOverrides, isTaken: Bool
    ) throws {
        let metadata = try metadata(
            #"{"device_authorization_endpoint":"\#(device)","authorization_response_iss_parameter_supported":true}"#)
        let profile = ProviderProfile.issuer(try Issuer("https://as.example")).applying(metadata).overriding(overrides)
        let failure = error { () throws(OAuthError) in
            try DeviceAuthorizationRequest(to: profile, client: OAuthClient(id: "client"), scope: [])
        }
        #expect(failure?.code == (isTaken ? nil : .unconfirmedEndpoints))
    }

    @Test(arguments: ["userinfo", "revocation", "introspection"], [true, false])
    func `DD25: sends a device's tokens of another server to no third server`(endpoint: String, isIssuersOwn: Bool) throws {
        let origin = isIssuersOwn ? "https://as.example" : "https://honest.example"
        let metadata = try ServerMetadata(
            .init(status: .ok),
            body: Secret(
                Array(
                    """
                    {"issuer":"https://as.example","token_endpoint":"\(origin)/token","device_authorization_endpoint":"\(origin)/device",
                    "\(endpoint)_endpoint":"https://\(isIssuersOwn ? "other" : "as").example/e"}
                    """.utf8)), of: try Issuer("https://as.example"))
        let profile = ProviderProfile.issuer(try Issuer("https://as.example")).applying(metadata)
        let failure = error { () throws(OAuthError) in
            try DeviceAuthorizationRequest(to: profile, client: OAuthClient(id: "client"), scope: [])
        }
        #expect(failure?.code == (isIssuersOwn ? nil : .unconfirmedEndpoints))
    }

    struct SoleRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var issuer = "https://as.example"
        var origin = "https://login.example"
        var more = ""
        var client: OAuthClient? = OAuthClient(id: "client")
        var beginning: any KeyPath<Endpoints, String?> & Sendable = \.authorization
        var overrides = EndpointOverrides()
        var sole: String? = "https://login.example"
    }

    @Test(arguments: [
        SoleRow(testDescription: "DD28 endpoints of another origin"),
        SoleRow(testDescription: "DD28 for a device", client: nil, beginning: \.deviceAuthorization),
        SoleRow(testDescription: "DD28 for client credentials", client: nil, beginning: \.token),
        SoleRow(
            testDescription: "Google's own token endpoint", issuer: "https://accounts.google.com",
            more: #","token_endpoint":"https://oauth2.googleapis.com/token""#, client: nil, beginning: \.token, sole: nil),
        SoleRow(testDescription: "the issuer's own endpoints", origin: "https://as.example", sole: nil),
        SoleRow(
            testDescription: "iss is promised, and required in the response",
            more: #","authorization_response_iss_parameter_supported":true"#, sole: nil),
        SoleRow(
            testDescription: "DD28 a device has no response that could name its issuer",
            more: #","authorization_response_iss_parameter_supported":true"#, client: nil, beginning: \.deviceAuthorization),
        SoleRow(
            testDescription: "a redirect URI of this issuer, which it can register elsewhere",
            client: OAuthClient(id: "client", redirectURI: .loopback(forClientsOf: "https://as.example"))),
        SoleRow(
            testDescription: "the program sets the token endpoint", overrides: .init(token: "https://login.example/token"), sole: nil),
        SoleRow(
            testDescription: "Google's own endpoints", issuer: "https://accounts.google.com",
            more: #","authorization_endpoint":"https://accounts.google.com/a","token_endpoint":"https://oauth2.googleapis.com/token""#,
            sole: nil),
    ])
    func `DD28: tokens belong to one origin unless the sign-in shows that they are the issuer's`(row: SoleRow) throws {
        let usual = #","authorization_endpoint":"\#(row.origin)/authorize","token_endpoint":"\#(row.origin)/token""#
        let endpoints = row.more.contains("token_endpoint") ? row.more : usual + row.more
        let issuer = try Issuer(row.issuer)
        let metadata = try ServerMetadata(
            .init(status: .ok), body: Secret(Array(#"{"issuer":"\#(row.issuer)"\#(endpoints)}"#.utf8)), of: issuer)
        let profile = ProviderProfile.issuer(issuer).overriding(row.overrides).applying(metadata)
        #expect(MixUpDefence.soleOrigin(at: profile, namesIssuer: row.client != nil, beginningAt: row.beginning)?.description == row.sole)
    }

    @Test func `DD28: a grant without a sign-in page keeps its tokens at the server that issues them`() throws {
        let text = #"{"issuer":"https://as.example","token_endpoint":"https://login.example/t"}"#
        let metadata = try ServerMetadata(.init(status: .ok), body: Secret(Array(text.utf8)), of: try Issuer("https://as.example"))
        let profile = ProviderProfile.issuer(try Issuer("https://as.example")).applying(metadata)
        let exchange = TokenExchange(of: .init(Secret("token")))
        let grant = try ExtensionGrant(type: "urn:example:grant", parameters: Secret([:]))
        for request in [
            try TokenRequest.clientCredentials(scope: [], client: client, at: profile),
            try .tokenExchange(exchange, client: client, at: profile), try .extensionGrant(grant, client: client, at: profile),
        ] { #expect(request.soleOrigin?.description == "https://login.example") }
    }

    @Test func `DD28: a sign-in that is finished after a restart still knows where its tokens may be sent`() throws {
        let metadata = try ServerMetadata(
            .init(status: .ok),
            body: Secret(
                Array(
                    #"{"issuer":"https://as.example","authorization_endpoint":"https://login.example/a","token_endpoint":"https://login.example/t"}"#
                        .utf8)), of: try Issuer("https://as.example"))
        let profile = ProviderProfile.issuer(try Issuer("https://as.example")).applying(metadata)
        let request = try AuthorizationRequest(to: profile, client: client, redirectURI: redirectURI, scope: [], at: now)
        let text = try request.pending.serialized()
        #expect(try PendingAuthorization(serialized: text).soleOrigin?.description == "https://login.example")
        let damaged = Secret(
            Array(String(decoding: text.reveal(), as: UTF8.self).replacing("https://login.example\"", with: "nowhere\"").utf8))
        #expect(throws: OAuthError.self) { try PendingAuthorization(serialized: damaged) }
    }

    @Test func `DD25: an issuer with another server's endpoints gets none of its tokens`() throws {
        for (promise, expected) in [("", false), (#","authorization_response_iss_parameter_supported":true"#, true)] {
            let text =
                #"{"issuer":"https://as.example","authorization_endpoint":"https://login.example/a","token_endpoint":"https://login.example/t"\#(promise)}"#
            let issuer = try Issuer("https://as.example")
            let metadata = try ServerMetadata(.init(status: .ok), body: Secret(Array(text.utf8)), of: issuer)
            let origin = try #require(Origin(url: "https://as.example"))
            #expect(ProviderProfile.issuer(issuer).applying(metadata).tokenOrigins.contains(origin) == expected)
        }
    }

    @Test func `DD25: trusts endpoints that the program sets`() throws {
        let metadata = try metadata(#"{"x":1}"#)
        var profile = ProviderProfile.issuer(try Issuer("https://as.example")).applying(metadata)
        profile.endpoints?.authorization = "https://login.example/authorize"
        #expect(throws: Never.self) { try authorizationRequest(to: profile) }
    }

    @Test func `DD25: every built-in provider can be used to sign in, wherever its endpoints are`() throws {
        for known in ProviderProfile.builtIn {
            let place: String? = if case .url(nil) = known.place { "https://own.example" } else { nil }
            let profile = try known.profile(at: place)
            #expect(throws: Never.self, "\(known.name)") {
                try AuthorizationRequest(to: profile, client: client, redirectURI: redirectURI, scope: [], at: now)
            }
        }
    }

    @Test func `RQ12: each issuer has its own redirect path, with the issuer's part first`() {
        let (one, other) = (
            RedirectURI.loopback(forClientsOf: "https://as.example"), RedirectURI.loopback(forClientsOf: "https://as.example.org")
        )
        #expect(one != other)
        #expect(one == .loopback(forClientsOf: "https://as.example/"), "the slash at the end makes no other issuer")
        // The first 16 bytes of the SHA-256 of "https://as.example".
        #expect(one.description == "http://127.0.0.1/93e20fbd9d9436f74c252dbad30ec732/callback")
    }

    @Test func `DD11: a client that cannot authenticate fails before the browser opens`() throws {
        let listed = try metadata(#"{"token_endpoint_auth_methods_supported":["private_key_jwt"]}"#)
        let profile = ProviderProfile.issuer(try Issuer("https://as.example")).applying(listed)
        let rows: [(OAuthClient, OAuthError.Code?)] = [
            (client, .configuration), (OAuthClient(id: "native"), .configuration),
            (OAuthClient(id: "native", authentication: .basic), .configuration),
            (OAuthClient(id: "native", authentication: ClientAuthenticationMethod.none), nil),
        ]
        for (client, expected) in rows {
            let failure = error { () throws(OAuthError) in
                try AuthorizationRequest(to: profile, client: client, redirectURI: redirectURI, scope: [], at: now)
            }
            #expect(failure?.code == expected)
        }
        let secretless = error { () throws(OAuthError) in
            try AuthorizationRequest(
                to: plainServer, client: OAuthClient(id: "native", authentication: .post), redirectURI: redirectURI, scope: [], at: now)
        }
        #expect(secretless?.code == .misuse)
    }
}
