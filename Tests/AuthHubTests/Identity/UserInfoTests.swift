import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Testing

@testable import AuthHub

struct UserInfoTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let mediaType: String
        let body: String
        /// The error code; nil if the response is accepted.
        let code: SessionError.Code?
    }

    private static func claims(_ count: Int) -> String {
        "{\"sub\":\"jane\"\((1..<count).map { ",\"c\($0)\":\($0)" }.joined())}"
    }

    @Test(arguments: [
        Row(testDescription: "JSON about the user", mediaType: "application/json; charset=utf-8", body: #"{"sub":"jane"}"#, code: nil),
        Row(testDescription: "UI01: no sub", mediaType: "application/json", body: #"{"name":"Jane"}"#, code: .serverMisbehaved),
        Row(testDescription: "UI10: sub is a number", mediaType: "application/json", body: #"{"sub":7}"#, code: .serverMisbehaved),
        Row(testDescription: "UI02: another user", mediaType: "application/json", body: #"{"sub":"mallory"}"#, code: .securityCheckFailed),
        Row(testDescription: "UI04: a web page", mediaType: "text/html", body: "<p>", code: .serverMisbehaved),
        Row(testDescription: "UI04: an array", mediaType: "application/json", body: #"[{"sub":"jane"}]"#, code: .serverMisbehaved),
        Row(testDescription: "UI04: truncated", mediaType: "application/json", body: #"{"sub":"jane""#, code: .serverMisbehaved),
        Row(testDescription: "DD29: JSON as text", mediaType: "text/plain", body: #"{"sub":"jane"}"#, code: nil),
        Row(testDescription: "DD29: a byte order mark", mediaType: "application/json", body: "\u{FEFF}{\"sub\":\"jane\"}", code: nil),
        Row(
            testDescription: "TR53: half an emoji", mediaType: "application/json", body: #"{"sub":"jane","nickname":"J\ude00"}"#, code: nil),
        Row(
            testDescription: "TR53: a sub with half an emoji", mediaType: "application/json", body: #"{"sub":"jane\ud83d"}"#,
            code: .serverMisbehaved),
        Row(
            testDescription: "UI11: 1001 claims", mediaType: "application/json", body: Self.claims(1001), code: .serverMisbehaved),
        Row(testDescription: "1000 claims", mediaType: "application/json", body: Self.claims(1000), code: nil),
        Row(
            testDescription: "UI12: an error next to the claims", mediaType: "application/json",
            body: #"{"sub":"jane","error":"invalid_token"}"#, code: .serverMisbehaved),
        Row(testDescription: "UI06: not a signed token", mediaType: "application/jwt", body: "a.b.c", code: .securityCheckFailed),
    ])
    func `checks the response`(row: Row) async throws {
        let provider = try OpenIDProvider()
        provider.change { $0.userInfo = (row.mediaType, Array(row.body.utf8)) }
        let session = provider.session()
        try await session.signIn()
        do throws(SessionError) {
            #expect(try await session.userInfo().subject == "jane" && row.code == nil)
        } catch {
            #expect(error.code == row.code, "\(error)")
        }
    }

    @Test(
        arguments: [
            ("as it should be", nil, nil), ("UI06: another issuer", "iss", "https://other.example"),
            ("UI06: another audience", "aud", "other"),
            ("UI02: another user", "sub", "mallory"), ("UI06: an ID token", "nonce", "n"),
        ] as [(String, String?, JSONValue?)])
    func `checks a signed response`(description: String, claim: String?, value: JSONValue?) async throws {
        let provider = try OpenIDProvider()
        let session = provider.session()
        try await session.signIn()
        var claims = provider.claims()
        claims["nonce"] = nil
        claims["email_verified"] = "true"
        if let claim { claims[claim] = value }
        let text = try await provider.sign(claims)
        provider.change { $0.userInfo = ("application/jwt", Array(text.reveal().utf8)) }
        do throws(SessionError) {
            let info = try await session.userInfo()
            #expect(claim == nil)
            #expect(info.claims["email_verified"] == true, "ID52")
        } catch {
            #expect(claim != nil && error.code == .securityCheckFailed, "\(error)")
        }
    }

    @Test func `UI08: a standard claim of the wrong type is missing`() async throws {
        let provider = try OpenIDProvider()
        let session = provider.session()
        try await session.signIn()
        let body = #"{"sub":"jane","email":5,"email_verified":"maybe","name":null,"address":"x","custom":[1],"updated_at":1}"#
        provider.change { $0.userInfo = ("application/json", Array(body.utf8)) }
        let info = try await session.userInfo()
        #expect(info.claims.members.map(\.name) == ["sub", "name", "custom", "updated_at"])
        #expect(info.irregularities.count == 3)
    }

    @Test(arguments: [("ID52: true", "true", true), ("ID52: false", "false", false)])
    func `a flag may be a string`(description: String, text: String, flag: Bool) async throws {
        let provider = try OpenIDProvider()
        let session = provider.session()
        try await session.signIn()
        provider.change { $0.userInfo = ("application/json", Array(#"{"sub":"jane","email_verified":"\#(text)"}"#.utf8)) }
        #expect(try await session.userInfo().claims["email_verified"] == .bool(flag))
    }

    @Test func `UI03, UI09: the token is in the header field, and is refreshed once if the endpoint rejects it`() async throws {
        let provider = try OpenIDProvider()
        let session = provider.session()
        try await session.signIn()
        provider.change { state in
            (state.nonce, state.rejections) = (nil, 1)
            state.userInfo = ("application/json", Array(#"{"sub":"jane"}"#.utf8))
        }
        #expect(try await session.userInfo().subject == "jane")
        #expect(provider.authorizations == ["Bearer access-1", "Bearer access-2"])
        #expect(provider.userInfoForms == ["", ""])
    }

    @Test func `UI03, UI09: the token is in the form if the profile says so, and is refreshed once if rejected`() async throws {
        let provider = try OpenIDProvider()
        var profile = OpenIDProvider.profile
        profile.quirks.identity.userInfoReadsForm = true
        let session = provider.session(profile: profile)
        try await session.signIn()
        provider.change { state in
            (state.nonce, state.rejections) = (nil, 1)
            state.userInfo = ("application/json", Array(#"{"sub":"jane"}"#.utf8))
        }
        #expect(try await session.userInfo().subject == "jane")
        #expect(provider.authorizations == [nil, nil])
        #expect(provider.userInfoForms == ["access_token=access-1", "access_token=access-2"])
    }

    @Test(arguments: [("its issuer", OpenIDProvider.issuer, true), ("another issuer", "https://other.example", false)])
    func `UI06: a key that names an issuer signs only the responses of this issuer`(
        description: String, keyIssuer: String, isAccepted: Bool
    ) async throws {
        let provider = try OpenIDProvider()
        provider.change { $0.keyIssuer = OpenIDProvider.issuer }
        var profile = OpenIDProvider.profile
        profile.quirks.identity.keysHaveIssuers = true
        let session = provider.session(profile: profile)
        try await session.signIn()
        // The keys are then read again.
        provider.advance(by: KeySetRules.usualTime)
        var claims = provider.claims()
        claims["nonce"] = nil
        let text = try await provider.sign(claims)
        provider.change { state in
            state.keyIssuer = keyIssuer
            state.userInfo = ("application/jwt", Array(text.reveal().utf8))
        }
        do throws(SessionError) {
            _ = try await session.userInfo()
            #expect(isAccepted)
        } catch {
            #expect(!isAccepted && error.code == .securityCheckFailed, "\(error)")
        }
    }

    @Test func `UI05: rejects JSON if the client registered for signed responses`() async throws {
        let provider = try OpenIDProvider()
        var profile = OpenIDProvider.profile
        profile.quirks.identity.userInfoMustBeSigned = true
        let session = provider.session(profile: profile)
        try await session.signIn()
        provider.change { $0.userInfo = ("application/json", Array(#"{"sub":"jane"}"#.utf8)) }
        let error = await #expect(throws: SessionError.self) { try await session.userInfo() }
        #expect(error?.code == .securityCheckFailed)
    }

    @Test(arguments: ["https://as.example/elsewhere", "https://other.example/userinfo"])
    func `UI07: does not use the response of a redirect`(target: String) async throws {
        let provider = try OpenIDProvider()
        let session = provider.session()
        try await session.signIn()
        provider.change { $0.redirect = target }
        let error = await #expect(throws: SessionError.self) { try await session.userInfo() }
        #expect(error?.code == .serverMisbehaved)
    }

    @Test func `RS17: sends no request to an endpoint whose origin does not receive the token`() async throws {
        let provider = try OpenIDProvider()
        var profile = OpenIDProvider.profile
        profile.endpoints?.userInfo = "https://elsewhere.example/userinfo"
        let session = provider.session(profile: profile)
        try await session.signIn()
        provider.change { $0.userInfo = ("application/json", Array(#"{"sub":"jane"}"#.utf8)) }
        let error = await #expect(throws: SessionError.self) { try await session.userInfo() }
        #expect(error?.code == .securityCheckFailed)
        #expect(provider.count(of: "/userinfo") == 0)
    }

    @Test func `needs a sign-in with an ID token`() async throws {
        let provider = try OpenIDProvider()
        let session = provider.session(scope: ["read"])
        let first = await #expect(throws: SessionError.self) { try await session.userInfo() }
        #expect(first?.code == .signInNeeded)
        try await session.signIn()
        let second = await #expect(throws: SessionError.self) { try await session.userInfo() }
        #expect(second?.code == .misconfigured)
    }
}
