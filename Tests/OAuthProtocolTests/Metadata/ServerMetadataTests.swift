import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

struct ServerMetadataTests {
    @Test func `parses the registered members by their types`() throws {
        let document = try metadata(
            #"""
            {"scopes_supported":["a"],"response_types_supported":["code"],"response_modes_supported":["form_post"],
            "grant_types_supported":["client_credentials"],"code_challenge_methods_supported":["S256"],
            "token_endpoint_auth_methods_supported":["none"],"revocation_endpoint_auth_methods_supported":["client_secret_post"],
            "introspection_endpoint_auth_methods_supported":["client_secret_basic"],"dpop_signing_alg_values_supported":["ES256"],
            "authorization_details_types_supported":["payment"],"protected_resources":["https://api.example"],
            "require_pushed_authorization_requests":true,"authorization_response_iss_parameter_supported":true,
            "pushed_authorization_request_endpoint":"https://as.example/par","introspection_endpoint":"https://as.example/introspect",
            "registration_endpoint":"https://as.example/register","jwks_uri":"https://as.example/keys",
            "service_documentation":"https://as.example/\u202edocs","unknown":{"deep":1}}
            """#)
        #expect(document.scopes == ["a"])
        #expect(document.responseTypes == ["code"])
        #expect(document.responseModes == ["form_post"])
        #expect(document.grantTypes == ["client_credentials"])
        #expect(document.codeChallengeMethods == ["S256"])
        #expect(document.tokenEndpointAuthenticationMethods == ["none"])
        #expect(document.revocationEndpointAuthenticationMethods == ["client_secret_post"])
        #expect(document.introspectionEndpointAuthenticationMethods == ["client_secret_basic"])
        #expect(document.dpopAlgorithms == ["ES256"])
        #expect(document.authorizationDetailsTypes == ["payment"])
        #expect(document.protectedResources == ["https://api.example"])
        #expect(document.requiresPushedAuthorizationRequests && document.promisesIssuerInResponse)
        #expect(document.endpoints.pushedAuthorization == "https://as.example/par")
        #expect(document.endpoints.introspection == "https://as.example/introspect")
        #expect(document.endpoints.registration == "https://as.example/register")
        #expect(document.endpoints.jwks == "https://as.example/keys")
        #expect(document.serviceDocumentation == "https://as.example/docs")
        #expect(document.members["unknown"] == ["deep": 1])
        #expect(document.diagnostics.isEmpty)
        #expect(document.grantTypes != nil && document.acrValues == nil)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let member: String
        let value: String
        let expected: MetadataDiagnostic.Reason?

        init(_ description: String, _ member: String, _ value: String, is expected: MetadataDiagnostic.Reason?) {
            testDescription = description
            self.member = member
            self.value = value
            self.expected = expected
        }
    }

    static let rows: [Row] = [
        Row("DD13 a string instead of a list", "scopes_supported", #""openid""#, is: .wrongType(expected: "an array of strings")),
        Row("DD13 a list of numbers", "grant_types_supported", "[1,2]", is: .wrongType(expected: "an array of strings")),
        Row("DD13 a number in a list", "grant_types_supported", #"["a",2]"#, is: .partlyWrongType),
        Row(
            "DD13 a string instead of a Boolean", "require_pushed_authorization_requests", #""true""#,
            is: .wrongType(expected: "true or false")),
        Row("DD13 a number instead of an endpoint", "revocation_endpoint", "7", is: .wrongType(expected: "a string")),
        Row("DD13 a list instead of a string", "service_documentation", "[]", is: .wrongType(expected: "a string")),
        Row("null counts as missing", "scopes_supported", "null", is: nil),
        Row("an empty list is a list", "scopes_supported", "[]", is: nil),
        Row("an unknown member may be anything", "unknown", "7", is: nil),
        Row("DD09 a relative endpoint", "introspection_endpoint", #""/introspect""#, is: .unusableURL),
        Row("DD09 an endpoint over http", "jwks_uri", #""http://as.example/keys""#, is: .unusableURL),
        Row("DD09 a script", "registration_endpoint", #""javascript:alert(1)""#, is: .unusableURL),
        Row("DD09 a fragment", "device_authorization_endpoint", #""https://as.example/d#x""#, is: .unusableURL),
        Row("DD09 user information", "pushed_authorization_request_endpoint", #""https://a@as.example/par""#, is: .unusableURL),
        Row("DD12 no signature for ID tokens", "id_token_signing_alg_values_supported", #"["none","ES256"]"#, is: .unsignedIsNeverAccepted),
        Row("DD14 signed metadata", "signed_metadata", #""a.b.c""#, is: .notVerified),
        Row("DD17 valid mTLS endpoint aliases", "mtls_endpoint_aliases", #"{"token_endpoint":"https://m.example/t"}"#, is: nil),
        Row("DD13 invalid mTLS endpoint aliases", "mtls_endpoint_aliases", "7", is: .wrongType(expected: "an object")),
    ]

    @Test(arguments: rows)
    func `DD09, DD13: reports ignored members, which count as missing`(row: Row) throws {
        let document = try metadata("{\"\(row.member)\":\(row.value)}")
        #expect(document.diagnostics.map(\.reason) == (row.expected.map { [$0] } ?? []))
        #expect(document.diagnostics.allSatisfy { $0.member == row.member && $0.description.contains(row.member) })
        if let name = Endpoints.Name(rawValue: row.member) { #expect(document.endpoints[name] == nil) }
    }

    @Test func `DD12: removes none from the algorithms, DD13: and other values from lists`() throws {
        let document = try metadata(
            #"{"id_token_signing_alg_values_supported":["none","ES256"],"grant_types_supported":["a",2],"scopes_supported":"a"}"#)
        #expect(document.idTokenAlgorithms == ["ES256"])
        #expect(document.grantTypes == ["a"])
        #expect(document.scopes == nil)
    }

    @Test func `DD14: uses nothing from signed metadata, whatever else the document contains`() throws {
        // {"issuer":"https://as.example","token_endpoint":"https://evil.example/token"}
        let claims = "eyJpc3N1ZXIiOiJodHRwczovL2FzLmV4YW1wbGUiLCJ0b2tlbl9lbmRwb2ludCI6Imh0dHBzOi8vZXZpbC5leGFtcGxlL3Rva2VuIn0"
        let document = try metadata("{\"signed_metadata\":\"eyJhbGciOiJFUzI1NiJ9.\(claims).c2ln\"}")
        #expect(document.endpoints.token == "https://as.example/token")
    }

    @Test func `DD17: does not use the aliases for clients with certificates`() throws {
        let document = try metadata(#"{"mtls_endpoint_aliases":{"token_endpoint":"https://mtls.as.example/token"}}"#)
        let profile = ProviderProfile.issuer(try Issuer("https://as.example")).applying(document)
        #expect(try profile.url(of: .token) == "https://as.example/token")
    }

    @Test(arguments: Endpoints.Name.allCases)
    func `DD10: names a needed endpoint that is missing, and the others stay usable`(name: Endpoints.Name) throws {
        var endpoints = Endpoints()
        for other in Endpoints.Name.allCases where other != name { endpoints[other] = "https://as.example/\(other)" }
        let profile = ProviderProfile(name: "plain", displayName: "Plain", endpoints: endpoints)
        let failure = error { () throws(OAuthError) in try profile.url(of: name) }
        #expect(failure?.code == .configuration)
        #expect(failure?.explanation.contains(name.rawValue) == true)
        for other in Endpoints.Name.allCases where other != name {
            #expect(try profile.url(of: other) == "https://as.example/\(other)")
        }
    }

    @Test func `DD10: tells the caller that needs an endpoint why it is unusable`() throws {
        let document = try metadata(#"{"introspection_endpoint":"http://as.example/introspect"}"#)
        let profile = ProviderProfile.issuer(try Issuer("https://as.example")).applying(document)
        let failure = error { () throws(OAuthError) in try profile.url(of: .introspection) }
        #expect(failure?.explanation.contains("must be an https URL") == true)
    }

    @Test(arguments: [
        (500, ServerErrorCode.serverError), (502, .serverError), (503, .temporarilyUnavailable), (429, .temporarilyUnavailable),
    ])
    func `DD06: reports a server that is down as such, and not as an invalid document`(status: Int, code: ServerErrorCode) {
        let failure = error { () throws(OAuthError) in try metadata(status: status) }
        #expect(failure?.code == .serverRejected)
        #expect(failure?.serverError?.code == code)
        #expect(failure?.serverError?.status == status)
    }

    @Test func `DD08: rejects a document of more than 256 KiB`() {
        let size = ServerMetadata.sizeLimit
        for (length, isTaken) in [(size - 1000, true), (size, false)] {
            let failure = error { () throws(OAuthError) in
                try metadata("{\"unknown\":\"\(String(repeating: "a", count: length))\"}")
            }
            #expect(failure?.code == (isTaken ? nil : .invalidResponse))
        }
    }

    @Test(arguments: [
        ("https://login.example/{tenantid}/v2.0", true), ("https://login.example/9f1-x/v2.0", true),
        ("https://login.example/common/v2.0", true),
        ("https://login.example//v2.0", false), ("https://login.example/a/b/v2.0", false), ("https://login.example/a/v2.0/", false),
        ("https://login.example/a%2Fb/v2.0", false), ("https://evil.example/a/v2.0", false), ("https://login.example/v2.0", false),
    ])
    func `DD02: a provider with an issuer for each tenant may name it by its template, and in no other way`(
        named: String, isTaken: Bool
    ) throws {
        let issuer = try Issuer("https://login.example/common/v2.0")
        let body = Secret(Array(#"{"issuer":"\#(named)"}"#.utf8))
        let failure = error { () throws(OAuthError) in
            try ServerMetadata(HTTPResponse(status: .ok), body: body, of: issuer, template: "https://login.example/{tenantid}/v2.0")
        }
        #expect(failure?.code == (isTaken ? nil : .securityCheckFailed))
    }

    struct Authentication: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let listed: String?
        let chosen: ClientAuthenticationMethod?
        var hasSecret = true
        let expected: ClientAuthenticationMethod?
    }

    static let authentications: [Authentication] = [
        Authentication(testDescription: "DD11 no list means client_secret_basic", listed: nil, chosen: nil, expected: .basic),
        Authentication(
            testDescription: "DD11 a listed method", listed: #"["private_key_jwt","client_secret_post"]"#, chosen: nil, expected: .post),
        Authentication(testDescription: "DD11 no supported method", listed: #"["private_key_jwt"]"#, chosen: nil, expected: nil),
        Authentication(testDescription: "DD11 an empty list", listed: "[]", chosen: nil, expected: nil),
        Authentication(
            testDescription: "DD11 the client's own method is not listed", listed: #"["client_secret_basic"]"#, chosen: .post, expected: nil
        ),
        Authentication(
            testDescription: "DD11 the client's own method is listed", listed: #"["client_secret_basic","client_secret_post"]"#,
            chosen: .post,
            expected: .post),
        Authentication(
            testDescription: "DD11 without a secret there is no choice", listed: #"["client_secret_basic"]"#, chosen: nil,
            hasSecret: false, expected: ClientAuthenticationMethod.none),
        Authentication(
            testDescription: "DD11 without a secret, at a server that lists neither secret methods nor none",
            listed: #"["private_key_jwt"]"#,
            chosen: nil, hasSecret: false, expected: nil),
    ]

    @Test(arguments: authentications)
    func `DD11: a client uses an authentication method that the server lists`(row: Authentication) throws {
        let list = row.listed.map { "{\"token_endpoint_auth_methods_supported\":\($0)}" } ?? "{}"
        let profile = ProviderProfile.issuer(try Issuer("https://as.example")).applying(try metadata(list))
        var client = OAuthClient(id: "c", secret: row.hasSecret ? Secret("s") : nil)
        client.authentication = row.chosen
        var made: ClientAuthenticationMethod?
        let failure = error { () throws(OAuthError) in made = try ClientAuthentication(client, at: profile).method }
        #expect(made == row.expected)
        #expect(failure?.code == (row.expected == nil ? .configuration : nil))
    }
}
