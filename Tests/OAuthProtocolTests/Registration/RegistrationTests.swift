import AuthHubPrimitives
import HTTPTypes
import Platform
import Testing

@testable import OAuthProtocol

struct RegistrationTests {
    private static let server: ProviderProfile = {
        var server = plainServer
        server.endpoints?.registration = "https://as.example/register"
        return server
    }()
    private static let metadata: ClientMetadata = {
        var metadata = ClientMetadata()
        metadata.redirectURIs = ["https://app.example/cb"]
        metadata.tokenEndpointAuthenticationMethod = .basic
        metadata.scope = ["read", "write"]
        metadata.softwareStatement = "a.b.c"
        return metadata
    }()
    private static let good =
        #"{"client_id":"c","client_secret":"s3","client_secret_expires_at":0,"client_id_issued_at":1800000000,"#
        + #""registration_client_uri":"https://as.example/register/c","registration_access_token":"first","#
        + #""redirect_uris":["https://app.example/cb"],"token_endpoint_auth_method":"client_secret_basic","scope":"write read"}"#

    private func register(
        _ body: String = good, status: Int = 201, at server: ProviderProfile = server
    ) throws(OAuthError) -> ClientRegistration {
        let request = try RegistrationRequest.register(Self.metadata, at: server)
        guard let registration = try request.accept(answer(status), body: bytes(body), from: server) else {
            throw OAuthError(.misuse, "a registration is nothing")
        }
        return registration
    }

    @Test func `RFC 7591 §3.1: sends the metadata as JSON, with the initial access token in the header`() throws {
        let message = try RegistrationRequest.register(Self.metadata, initialAccessToken: Secret("initial"), at: Self.server).message
        #expect(message.head.method == .post)
        #expect(message.head.path == "/register")
        #expect(message.head.headerFields[.contentType] == "application/json")
        #expect(message.head.headerFields[.authorization] == "Bearer initial")
        #expect(try JSONValue(strict: message.body.reveal())["software_statement"] == "a.b.c")
        #expect(try RegistrationRequest.register(Self.metadata, at: Self.server).message.head.headerFields[.authorization] == nil)
    }

    @Test(arguments: [
        ("RG01 status 202", 202, good), ("RG01 no client_id", 201, "{}"),
        ("RG01 an empty client ID", 201, #"{"client_id":""}"#), ("RG01 a number", 201, #"{"client_id":7}"#),
        ("RG01 a client ID that is not ASCII", 201, #"{"client_id":"с"}"#), ("RG01 a control character", 201, #"{"client_id":"c\u0007"}"#),
        ("RG02 an expiry that is a string", 201, #"{"client_id":"c","client_secret":"s","client_secret_expires_at":"0"}"#),
        ("RG02 an expiry before 1970", 201, #"{"client_id":"c","client_secret":"s","client_secret_expires_at":-1}"#),
        ("a secret that is a number", 201, #"{"client_id":"c","client_secret":7,"client_secret_expires_at":0}"#),
        ("a token that breaks out of its header field", 201, #"{"client_id":"c","registration_access_token":"a\r\nb"}"#),
    ])
    func `rejects a response that is not a registration`(description: String, status: Int, body: String) {
        #expect(error { () throws(OAuthError) in try register(body, status: status) }?.code == .invalidResponse, "\(description)")
    }

    @Test func `RG01: accepts status 200, and reports it unless the profile says so`() throws {
        var server = Self.server
        #expect(try register(status: 200).irregularities == ["the response to the registration has status 200 instead of 201"])
        #expect(try register().irregularities.isEmpty)
        server.quirks.responses.acceptsOKForRegistrations = true
        #expect(try register(status: 200, at: server).irregularities.isEmpty)
        #expect(error { () throws(OAuthError) in try register(status: 202, at: server) }?.code == .invalidResponse)
    }

    @Test func `RG02: a secret without its expiry never expires, and is reported`() throws {
        let registration = try register(#"{"client_id":"c","client_secret":"s"}"#)
        #expect(registration.clientSecret == Secret("s") && registration.clientSecretExpiresAt == nil && registration.lacksSecretExpiry)
        #expect(try ClientRegistration(serialized: registration.serialized()).lacksSecretExpiry)
        let stated = try register()
        #expect(!stated.lacksSecretExpiry)
        #expect(try !ClientRegistration(serialized: stated.serialized()).lacksSecretExpiry)
        #expect(try !register(#"{"client_id":"c"}"#).lacksSecretExpiry)
    }

    @Test(arguments: [
        ("RG02 zero means never", "0", nil as Double?), ("RG02 an end", "1800000060", 60), ("RG02 with a fraction", "1800000060.0", 60),
    ])
    func `a secret has an expiry or none`(description: String, end: String, expected: Double?) throws {
        let registration = try register(#"{"client_id":"c","client_secret":"s","client_secret_expires_at":\#(end)}"#)
        #expect(registration.clientSecret == Secret("s"))
        #expect(registration.clientSecretExpiresAt == expected.map { now.addingTimeInterval($0) }, "\(description)")
    }

    @Test(arguments: [
        ("as requested, except for the order of the scope", good, [String]()),
        (
            "RG03 another redirect URI",
            #"{"client_id":"c","redirect_uris":["https://evil.example/cb"],"token_endpoint_auth_method":"client_secret_basic","scope":"read write"}"#,
            ["redirect_uris"]
        ),
        (
            "RG03 another authentication",
            #"{"client_id":"c","redirect_uris":["https://app.example/cb"],"token_endpoint_auth_method":"none","scope":"read write"}"#,
            ["token_endpoint_auth_method"]
        ),
        ("RG03 nothing as requested", #"{"client_id":"c"}"#, ["redirect_uris", "token_endpoint_auth_method", "scope"]),
        (
            "RG03 a grant that was not requested",
            #"{"client_id":"c","redirect_uris":["https://app.example/cb"],"token_endpoint_auth_method":"client_secret_basic","scope":"read write","grant_types":["authorization_code","refresh_token"],"response_types":["code"]}"#,
            ["grant_types"]
        ),
    ])
    func `reports values that the server registered differently`(description: String, body: String, expected: [String]) throws {
        let registration = try register(body)
        #expect(registration.differences.map(\.name) == expected, "\(description)")
    }

    @Test(arguments: [
        ("RG04 http", "http://as.example/register/c"), ("RG04 another origin", "https://other.example/register/c"),
        ("RG04 another port", "https://as.example:8443/register/c"), ("RG04 a script", "javascript:alert(1)"),
        ("RG04 user information", "https://u@as.example/register/c"),
    ])
    func `ignores a registration URL that is not on the server`(description: String, uri: String) throws {
        let registration = try register(
            #"{"client_id":"c","registration_client_uri":"\#(uri)","registration_access_token":"t"}"#)
        #expect(!registration.isManageable, "\(description)")
        #expect(registration.clientURIProblem != nil)
        let failure = error { () throws(OAuthError) in try RegistrationRequest.read(registration, at: Self.server) }
        #expect(failure?.code == .configuration)
    }

    @Test(arguments: [
        ("RG05 redirect URI", "invalid_redirect_uri", ServerErrorCode.invalidRedirectURI),
        ("RG05 metadata", "invalid_client_metadata", .invalidClientMetadata),
        ("RG05 statement", "invalid_software_statement", .invalidSoftwareStatement),
        ("RG05 statement not approved", "unapproved_software_statement", .unapprovedSoftwareStatement),
    ])
    func `the server's errors are typed`(description: String, code: String, expected: ServerErrorCode) {
        let failure = error { () throws(OAuthError) in
            try register(#"{"error":"\#(code)","error_description":"no"}"#, status: 400)
        }
        #expect(failure?.serverError?.code == expected, "\(description)")
        #expect(failure?.serverError?.explanation == "no")
    }

    @Test func `RG06: a registration is valid only at the server that created it`() throws {
        let registration = try register()
        let redirectURI = RedirectURI.https(host: "app.example", path: "/cb")
        let client = try registration.client(at: Self.server, redirectURI: redirectURI, at: now)
        #expect(client.id == "c" && client.secret == Secret("s3") && client.authentication == .basic)
        var other = Self.server
        other.issuer = "https://as.example/tenant"
        #expect(
            error { () throws(OAuthError) in try registration.client(at: other, redirectURI: redirectURI, at: now) }?.code
                == .securityCheckFailed)
        #expect(error { () throws(OAuthError) in try RegistrationRequest.read(registration, at: other) }?.code == .securityCheckFailed)
    }

    @Test func `uses neither an unregistered redirect URI nor an expired secret`() throws {
        let registration = try register(
            #"{"client_id":"c","client_secret":"s","client_secret_expires_at":1800000060,"redirect_uris":["http://127.0.0.1/cb"]}"#)
        let elsewhere = error { () throws(OAuthError) in
            try registration.client(at: Self.server, redirectURI: .loopback(path: "/other"), at: now)
        }
        #expect(elsewhere?.code == .misuse)
        let loopback = RedirectURI.loopback(port: 4711, path: "/cb")
        #expect(try registration.client(at: Self.server, redirectURI: loopback, at: now).id == "c")
        let late = error { () throws(OAuthError) in
            try registration.client(at: Self.server, redirectURI: loopback, at: now.addingTimeInterval(60))
        }
        #expect(late?.code == .expired)
    }
}

extension RegistrationTests {
    @Test func `RFC 7592 §2: reads and deletes with the registration access token, and no body`() throws {
        let registration = try register()
        let read = try RegistrationRequest.read(registration, at: Self.server).message
        #expect(read.head.method == .get && read.head.path == "/register/c")
        #expect(read.head.headerFields[.authorization] == "Bearer first")
        #expect(read.head.headerFields[.contentType] == nil && read.body.reveal().isEmpty)
        let delete = try RegistrationRequest.delete(registration, at: Self.server)
        #expect(delete.message.head.method == .delete)
        #expect(try delete.accept(answer(204, mediaType: nil), body: bytes(""), from: Self.server) == nil)
        #expect(
            error { () throws(OAuthError) in _ = try delete.accept(answer(200), body: bytes("{}"), from: Self.server) }?.code
                == .invalidResponse)
    }

    @Test func `RFC 7592 §2.2: an update names the client, and contains no member that only the server sets`() throws {
        let registration = try register()
        var metadata = Self.metadata
        metadata.clientName = "New"
        let message = try RegistrationRequest.update(registration, to: metadata, at: Self.server).message
        #expect(message.head.method == .put)
        let members = try #require(try JSONValue(strict: message.body.reveal()).object)
        #expect(members["client_id"] == "c" && members["client_secret"] == "s3" && members["client_name"] == "New")
        for name in ["registration_access_token", "registration_client_uri", "client_id_issued_at", "client_secret_expires_at"] {
            #expect(members[name] == nil, "\(name)")
        }
    }

    @Test func `RFC 7592 §3: a new token replaces the old one, and missing members stay`() throws {
        let registration = try register()
        let read = try RegistrationRequest.read(registration, at: Self.server)
        let same = try #require(try read.accept(answer(200), body: bytes(#"{"client_id":"c"}"#), from: Self.server))
        #expect(same.accessToken == Secret("first") && same.clientURI == "https://as.example/register/c")
        #expect(same.clientSecret == Secret("s3") && same.issuedAt == now)
        let rotated = try #require(
            try read.accept(answer(200), body: bytes(#"{"client_id":"c","registration_access_token":"second"}"#), from: Self.server))
        #expect(rotated.accessToken == Secret("second"))
    }

    @Test func `rejects a response about another client`() throws {
        let read = try RegistrationRequest.read(try register(), at: Self.server)
        let failure = error { () throws(OAuthError) in
            _ = try read.accept(answer(200), body: bytes(#"{"client_id":"other"}"#), from: Self.server)
        }
        #expect(failure?.code == .securityCheckFailed)
    }

    @Test func `stores a registration completely, and describes it without its secrets`() throws {
        let registration = try register()
        let again = try ClientRegistration(serialized: registration.serialized())
        #expect(again.clientID == "c" && again.clientSecret == Secret("s3") && again.accessToken == Secret("first"))
        #expect(again.clientURI == registration.clientURI && again.server == registration.server && again.issuedAt == now)
        #expect(again.metadata == registration.metadata)
        for text in ["\(registration)", String(reflecting: registration), "\(registration.serialized())"] {
            #expect(!text.contains("s3") && !text.contains("first"))
        }
        #expect(error { () throws(OAuthError) in try ClientRegistration(serialized: bytes("{}")) }?.code == .invalidResponse)
    }
}
