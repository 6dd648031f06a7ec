import AuthHubPrimitives
import HTTPTypes
import JOSE
import Platform
import Testing

@testable import OAuthProtocol

struct ClientAssertionTests {
    private static func client(_ method: ClientAuthenticationMethod? = .privateKeyJWT) throws -> OAuthClient {
        var client = OAuthClient(id: "machine", authentication: method)
        client.keys = ClientKeys(signing: try .generate(keyID: "mine"))
        return client
    }

    /// A server whose metadata has these members besides the required ones.
    private static func server(_ members: String = "", _ change: (inout ProviderQuirks.RequestQuirks) -> Void = { _ in }) throws
        -> ProviderProfile
    {
        var server = ProviderProfile.issuer(try Issuer("https://as.example")).applying(try metadata("{\(members)}"))
        change(&server.quirks.requests)
        return server
    }

    private static func sent(_ client: OAuthClient, at server: ProviderProfile = plainServer) async throws -> FormParameters {
        try await TokenRequest.clientCredentials(scope: ["read"], client: client, at: server).message.signed(at: now).form
    }

    private static func token(in form: FormParameters) throws -> (header: JSONObject, claims: JSONObject) {
        let parts = try #require(form["client_assertion"]).split(separator: ".").map { Base64URL.decode($0) }
        let objects = parts.prefix(2).compactMap { $0.flatMap { try? JSONValue(strict: $0).object } }
        try #require(objects.count == 2)
        return (objects[0], objects[1])
    }

    @Test func `CA01, CA06, RQ02, RQ06: an assertion names the client, is valid for a minute, and is sent with the client ID`() async throws
    {
        let form = try await Self.sent(try Self.client())
        #expect(form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
        #expect(form["client_id"] == "machine" && form["client_secret"] == nil && form["scope"] == "read")
        let (header, claims) = try Self.token(in: form)
        #expect(claims.members.map(\.name).sorted() == ["aud", "exp", "iat", "iss", "jti", "sub"])
        #expect(claims["iss"] == "machine" && claims["sub"] == "machine")
        #expect(claims["iat"] == 1_800_000_000)
        #expect(claims["exp"] == 1_800_000_060)
        #expect(header["alg"] == "ES256" && header["kid"] == "mine")
    }

    @Test func `CA01: the public key of the client verifies an assertion`() async throws {
        let client = try Self.client()
        let form = try await Self.sent(client)
        let text = try #require(form["client_assertion"])
        let keys = try JSONWebKeySet(client.keys?.publicKeys(at: now) ?? JSONObject())
        _ = try JSONWebSignature(Secret(text)).verified(by: keys, allowing: [.es256])
    }

    @Test(arguments: [
        ("CA02: the issuer of the metadata, as a string", false, "https://as.example"),
        ("CA02: the token endpoint, for servers that accept nothing else", true, "https://as.example/token"),
    ])
    func `an assertion is for one server`(description: String, isForEndpoint: Bool, audience: String) async throws {
        let server = try Self.server { $0.assertionAudience = isForEndpoint ? .tokenEndpoint : .issuer }
        let claims = try await Self.token(in: Self.sent(Self.client(), at: server)).claims
        #expect(claims["aud"] == .string(audience), "\(description)")
    }

    @Test(arguments: [
        ("CA03: named by default", false, "client-authentication+jwt"), ("CA03: left out if the server rejects it", true, nil),
    ])
    func `the type of an assertion`(description: String, isOmitted: Bool, type: String?) async throws {
        let server = try Self.server { $0.omitsAssertionType = isOmitted }
        let header = try await Self.token(in: Self.sent(Self.client(), at: server)).header
        #expect(header["typ"]?.string == type, "\(description)")
    }

    @Test func `CA04: each attempt has an assertion of its own`() async throws {
        let message = try TokenRequest.clientCredentials(scope: [], client: Self.client(), at: plainServer).message
        let first = try await message.signed(at: now).form
        let second = try await message.signed(at: now.addingTimeInterval(5)).form
        #expect(try Self.token(in: first).claims["jti"] != Self.token(in: second).claims["jti"])
        #expect(first.values(named: "client_assertion").count == 1 && second.values(named: "client_id") == ["machine"])
    }

    @Test func `CA04: an assertion that an error repeats is removed from it`() async throws {
        let request = try TokenRequest.clientCredentials(scope: [], client: Self.client(), at: plainServer)
        let form = try await request.message.signed(at: now).form
        let sent = try #require(form["client_assertion"])
        let body = bytes(#"{"error":"invalid_client","error_description":"you sent \#(sent)"}"#)
        let failure = error { () throws(OAuthError) in
            try TokenResponse(answer(401), body: body, to: request, from: plainServer, at: now)
        }
        #expect(failure?.serverError?.code == .invalidClient)
        #expect(!"\(String(describing: failure))".contains(sent))
        #expect(failure?.serverError?.explanation?.contains(sent) == false)
    }

    @Test(
        arguments: [
            ("CA05: an elliptic key has one algorithm, which the server lists", "ES256", ["RS256", "ES256"], "ES256"),
            ("CA05: an RSA key without alg takes the server's first that it can use", "RSA", ["ES256", "PS256", "RS256"], "PS256"),
            ("CA05: an RSA key without alg, and a server that lists nothing", "RSA", nil, "RS256"),
            ("CA05: none in common", "ES256", ["RS256"], nil),
            ("CA05: an RSA key with alg keeps it", "RS256", ["PS256"], nil),
        ] as [(String, String, [String]?, String?)])
    func `the algorithm of an assertion`(description: String, key: String, listed: [String]?, algorithm: String?) async throws {
        var members = try SoftwareSigningKey.generate(SignatureAlgorithm(rawValue: key == "RSA" ? "RS256" : key)).privateMembers.reveal()
        if key == "RSA" { members["alg"] = nil }
        var client = OAuthClient(id: "machine", authentication: .privateKeyJWT)
        client.keys = ClientKeys(signing: try SoftwareSigningKey(Secret(members)))
        // The keys are stored between sign-ins.
        client.keys = try client.keys.map { try ClientKeys(serialized: $0.serialized()) }
        let list = listed.map { names in
            #""token_endpoint_auth_signing_alg_values_supported":[\#(names.map { "\"\($0)\"" }.joined(separator: ","))]"#
        }
        let methods = #""token_endpoint_auth_methods_supported":["private_key_jwt"]"#
        let server = try Self.server([methods, list].compactMap(\.self).joined(separator: ","))
        if let algorithm {
            let header = try await Self.token(in: Self.sent(client, at: server)).header
            #expect(header["alg"] == .string(algorithm), "\(description)")
        } else {
            let message = try TokenRequest.clientCredentials(scope: [], client: client, at: server).message
            let failure = await #expect(throws: OAuthError.self) { _ = try await message.signed(at: now) }
            #expect(failure?.code == .configuration, "\(description)")
        }
    }

    @Test(arguments: [
        ("CA07: a long secret", "0123456789abcdef0123456789abcdef", true),
        ("CA07: one byte too short", "0123456789abcdef0123456789abcde", false),
    ])
    func `a client secret that signs has at least 32 bytes`(description: String, secret: String, isEnough: Bool) async throws {
        let client = OAuthClient(id: "machine", secret: Secret(secret), authentication: .clientSecretJWT)
        guard isEnough else {
            let failure = error { () throws(OAuthError) in try tokenRequest(for: client) }
            #expect(failure?.code == .misuse, "\(description)")
            #expect(failure?.explanation.contains("32 bytes") == true)
            return
        }
        let form = try await Self.sent(client)
        #expect(form["client_secret"] == nil)
        #expect(try Self.token(in: form).header["alg"] == "HS256", "\(description)")
    }

    @Test(arguments: [
        ("the server lists private_key_jwt", #"["private_key_jwt"]"#, true),
        ("among others", #"["client_secret_basic","private_key_jwt"]"#, true),
        ("it does not", #"["client_secret_basic"]"#, false),
    ])
    func `MC09: a client with a key and no secret signs without being told to, if the server supports it`(
        description: String, methods: String, isSigned: Bool
    ) async throws {
        let server = try Self.server(#""token_endpoint_auth_methods_supported":\#(methods)"#)
        let message = try TokenRequest.refresh(Secret("r"), scope: [], client: Self.client(nil), at: server).message
        let assertion = try await message.signed(at: now).form["client_assertion"]
        #expect((assertion != nil) == isSigned, "\(description)")
    }

    @Test func `a client that has to sign and has no key is an error before anything is sent`() {
        let failure = error { () throws(OAuthError) in
            try TokenRequest.clientCredentials(
                scope: [], client: OAuthClient(id: "machine", authentication: .privateKeyJWT), at: plainServer)
        }
        #expect(failure?.code == .misuse)
    }

    @Test func `CM05: during a rotation, the old key signs until servers know the new one, and stays published afterwards`() async throws {
        var client = try Self.client()
        var keys = try #require(client.keys)
        try keys.rotate(at: now, overlap: .seconds(600))
        client.keys = keys
        let message = try TokenRequest.clientCredentials(scope: [], client: client, at: plainServer).message
        let early = try await Self.token(in: message.signed(at: now.addingTimeInterval(599)).form).header
        #expect(early["kid"] == "mine")
        let later = now.addingTimeInterval(601)
        let late = try await Self.token(in: message.signed(at: later).form).header
        #expect(late["kid"] != "mine")
        let published = keys.publicKeys(at: later)["keys"]?.array?.compactMap { $0["kid"]?.string } ?? []
        #expect(published.contains("mine") && published.count == 2)
    }
}
