import AuthHubPrimitives
import HTTPTypes
import Platform
import Testing

@testable import OAuthProtocol

struct AniListProfileTests {
    static let pinPage = "https://anilist.co/api/v2/oauth/pin"

    @Test func `the implicit grant at AniList sends neither a redirect URI nor a scope`() throws {
        let request = try AuthorizationRequest(
            to: .aniList, client: OAuthClient(id: "42"), redirectURI: redirectURI, scope: ProviderProfile.aniList.defaultScope, at: now)
        #expect(request.url.hasPrefix("https://anilist.co/api/v2/oauth/authorize?response_type=token&client_id=42&state="))
        #expect(try request.query.parameters.count == 3)
        let url = Secret("\(redirectURI)#access_token=a&token_type=Bearer&expires_in=31536000&state=\(try request.query["state"] ?? "")")
        #expect(request.pending.expects(url))
    }

    @Test func `the code grant at AniList sends its secret in the body`() throws {
        let client = OAuthClient(id: "42", secret: Secret("s3cret"))
        let request = try AuthorizationRequest(to: .aniListWithSecret, client: client, redirectURI: redirectURI, scope: [], at: now)
        var pending = request.pending
        let code: AuthorizationCode = try pending.accept(
            Secret("\(redirectURI)?code=c&state=\(try request.query["state"] ?? "")"), at: now)
        let message = try TokenRequest.exchange(code, client: client, at: .aniListWithSecret).message
        let form = try FormParameters(decoding: String(decoding: message.body.reveal(), as: UTF8.self))
        #expect(form["client_secret"] == "s3cret" && form["client_id"] == "42" && form["redirect_uri"] == redirectURI)
        #expect(message.head.headerFields[.authorization] == nil)
    }

    @Test func `sends the token to the API only`() {
        #expect(ProviderProfile.aniList.tokenOrigins == [Origin(scheme: "https", authority: "graphql.anilist.co")])
    }

    @Test(arguments: [(ProviderProfile.aniList, false), (.aniListWithSecret, true)])
    func `accepts a pasted token once, for a sign-in that leads to the PIN page`(server: ProviderProfile, isCode: Bool) throws {
        let client = OAuthClient(id: "42", secret: Secret("s3cret"))
        let request = try AuthorizationRequest(to: server, client: client, redirectURI: Self.pinPage, scope: [], at: now)
        var pending = request.pending
        #expect(pending.acceptsPin)
        let pin = AuthorizationCallback.pin(Secret("eyJhbGciOiJSUzI1NiJ9.abc-def"))
        #expect(pending.expects(pin))
        switch try pending.accept(pin, at: now) {
        case .code: #expect(isCode)
        case .tokens(let tokens):
            #expect(!isCode && tokens.accessToken.reveal() == "eyJhbGciOiJSUzI1NiJ9.abc-def" && tokens.expiresAt == nil)
            #expect(tokens.irregularities.count == 1)
        }
        #expect(!pending.expects(pin))
        #expect(error { () throws(OAuthError) in try pending.accept(pin, at: now) }?.code == .securityCheckFailed)
    }

    @Test(arguments: [(redirectURI, ProviderProfile.aniList), (pinPage, plainServer), ("\(pinPage)/", .aniList)])
    func `rejects a pasted token for any other sign-in`(redirectURI: String, server: ProviderProfile) throws {
        var pending = try authorizationRequest(to: server, redirectURI: redirectURI).pending
        let pin = AuthorizationCallback.pin(Secret("eyJhbGciOiJSUzI1NiJ9.abc"))
        #expect(!pending.acceptsPin && !pending.expects(pin))
        #expect(error { () throws(OAuthError) in try pending.accept(pin, at: now) }?.code == .securityCheckFailed)
    }

    @Test(arguments: [
        "", "garbage", "two words", "two words of a long text", "line\nfeed in a long text", "a long gr\u{FC}n text",
        String(repeating: "x", count: 65_537),
    ])
    func `rejects pasted text that cannot be a token`(text: String) throws {
        var pending = try authorizationRequest(to: .aniList, redirectURI: Self.pinPage).pending
        let failure = error { () throws(OAuthError) in try pending.accept(.pin(Secret(text)), at: now) }
        #expect(failure?.code == .invalidResponse)
    }

    @Test(arguments: [("", true), ("&state=STATE", true), ("&state=other", false)])
    func `accepts the whole URL of the PIN page, without a state but not with a different one`(state: String, isGood: Bool) throws {
        let request = try authorizationRequest(to: .aniList, redirectURI: Self.pinPage)
        let sent = try #require(try request.query["state"])
        var pending = request.pending
        let url = "\(Self.pinPage)#access_token=a&token_type=Bearer&expires_in=60" + state.replacing("STATE", with: sent)
        let callback = AuthorizationCallback.url(Secret(url))
        #expect(pending.expects(callback) == isGood)
        guard isGood, case .tokens(let tokens) = try pending.accept(callback, at: now) else { return }
        #expect(tokens.expiresAt == now.addingTimeInterval(60))
    }

    @Test func `AR52 rejects a pasted token after the deadline`() throws {
        var pending = try authorizationRequest(to: .aniList, redirectURI: Self.pinPage).pending
        let failure = error { () throws(OAuthError) in
            try pending.accept(.pin(Secret("eyJhbGciOiJSUzI1NiJ9.abc")), at: now.addingTimeInterval(600))
        }
        #expect(failure?.code == .expired)
    }
}
