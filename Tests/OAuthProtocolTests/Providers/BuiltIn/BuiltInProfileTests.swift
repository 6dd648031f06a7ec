import AuthHubPrimitives
import Testing

@testable import OAuthProtocol

struct BuiltInProfileTests {
    static let profiles = ProviderProfile.builtIn.compactMap { known in
        try? known.profile(at: known.place == .url(default: nil) ? "https://host.example" : nil)
    }

    @Test(arguments: [
        (ProviderProfile.gitHub, "https://api.github.com"), (.gitLab(), "https://gitlab.com/api/v4"),
        (.gitea(base: "https://git.example"), "https://git.example/api/v1"), (.microsoft(), "https://graph.microsoft.com/v1.0"),
        (.google, "https://www.googleapis.com"), (.spotify, "https://api.spotify.com/v1"), (.dropbox, "https://api.dropboxapi.com/2"),
        (.reddit, "https://oauth.reddit.com"), (.mastodon(instance: "https://social.example"), "https://social.example"),
        (.gitHubEnterprise(web: "https://git.example"), "https://git.example/api/v3"),
    ])
    func `paths at the API are relative to the documented URL, which receives the token`(profile: ProviderProfile, base: String) throws {
        #expect(profile.apiBaseURL == base)
        #expect(profile.tokenOrigins.contains(try #require(Origin(url: base))))
        #expect(profile.overriding(EndpointOverrides(base: "https://api.example/v1")).apiBaseURL == "https://api.example/v1")
        let played = profile.rebased(onto: "https://dev.example")
        #expect(played.apiBaseURL.flatMap { Origin(url: $0) } == Origin(url: "https://dev.example"))
    }

    @Test func `every built-in provider has a profile under its own name, once, in order`() {
        let names = ProviderProfile.builtIn.map(\.name)
        #expect(Self.profiles.map(\.name) == names)
        #expect(names == names.sorted())
        #expect(Set(names).count == names.count)
        #expect(names.count >= 25)
    }

    @Test(arguments: profiles.map(\.name))
    func `its URLs are https, and it says what registration needs`(name: String) throws {
        let profile = try #require(Self.profiles.first { $0.name == name })
        for endpoint in Endpoints.Name.allCases {
            if let address = profile.endpoints?[endpoint] { #expect(TransportPolicy.httpsOnly.allows(address)) }
        }
        #expect(!profile.tokenOrigins.isEmpty || name == "apple", "Apple has no API for the token")
        #expect(profile.quirks.registration.documentation != nil)
        #expect(profile.quirks.registration.page?.hasPrefix("https://") == true)
        #expect(!profile.quirks.registration.redirectURIs.isEmpty)
    }

    @Test(arguments: profiles.map(\.name))
    func `writing a profile and reading it again gives the same profile`(name: String) throws {
        let profile = try #require(Self.profiles.first { $0.name == name })
        let written = profile.settings
        let read = try ProviderProfile(settings: written.serialized(), file: "f")
        #expect(read.settings == written)
        #expect(read.quirks == profile.quirks)
        #expect(read.endpoints == profile.endpoints)
        #expect(read.clientAuthentication == profile.clientAuthentication)
        #expect(read.pushedAuthorization == profile.pushedAuthorization)
        #expect(read.revocation == profile.revocation)
        #expect(read.tokenOrigins == profile.tokenOrigins)
        #expect(read.identity == profile.identity)
    }

    @Test(arguments: profiles.map(\.name))
    func `moving a profile to another origin moves every URL and keeps its path`(name: String) throws {
        let profile = try #require(Self.profiles.first { $0.name == name })
        let moved = profile.rebased(onto: "http://127.0.0.1:8080", transport: .insecureHTTPOnLoopbackForDevelopment)
        for endpoint in Endpoints.Name.allCases {
            let expected = profile.endpoints?[endpoint].flatMap { RequestTarget($0)?.path }.map { "http://127.0.0.1:8080" + $0 }
            #expect(moved.endpoints?[endpoint] == expected)
        }
        #expect(moved.tokenOrigins.map(\.description) == ["http://127.0.0.1:8080"])
        let pinPage = moved.quirks.authorizationResponses.pinPageWhoseTextIsAcceptedWithoutState
        #expect(pinPage?.hasPrefix("http://127.0.0.1:8080/") ?? true)
        var quirks = moved.quirks
        quirks.authorizationResponses.pinPageWhoseTextIsAcceptedWithoutState =
            profile.quirks.authorizationResponses.pinPageWhoseTextIsAcceptedWithoutState
        let template = quirks.discovery.issuerTemplate
        #expect(template.map { $0.hasPrefix("http://127.0.0.1:8080/{") } ?? (profile.quirks.discovery.issuerTemplate == nil))
        quirks.discovery.issuerTemplate = profile.quirks.discovery.issuerTemplate
        #expect(quirks.git.origins.map(\.description) == (profile.quirks.git.origins.isEmpty ? [] : ["http://127.0.0.1:8080"]))
        quirks.git.origins = profile.quirks.git.origins
        #expect(quirks == profile.quirks)
    }

    @Test(arguments: ["spotify", "anilist", "microsoft"])
    func `a provider with a single instance can be played on this machine`(name: String) throws {
        let known = try #require(ProviderProfile.builtIn(name))
        let played = try known.profile(at: "http://127.0.0.1:8080/", transport: .insecureHTTPOnLoopbackForDevelopment)
        #expect(played.endpoints?.authorization?.hasPrefix("http://127.0.0.1:8080/") == true)
        #expect(played.tokenOrigins.map(\.description) == ["http://127.0.0.1:8080"])
    }

    @Test(arguments: [
        ("spotify", "http://127.0.0.1:8080"), ("spotify", "https://elsewhere.example"), ("mastodon", nil),
        ("mastodon", "http://host.example"), ("gitlab", "https://h.example?x"),
        ("microsoft", "a/b"), ("microsoft", ""),
    ])
    func `rejects an origin that is missing, superfluous or unusable`(name: String, place: String?) throws {
        let known = try #require(ProviderProfile.builtIn(name))
        let failure = error { () throws(OAuthError) in try known.profile(at: place) }
        #expect(failure?.code == .configuration)
    }

    @Test func `the origin of a profile is the origin of its URLs`() throws {
        let gitLab = try #require(ProviderProfile.builtIn("gitlab")).profile(at: "https://git.example/")
        #expect(gitLab.endpoints?.token == "https://git.example/oauth/token")
        let microsoft = try #require(ProviderProfile.builtIn("microsoft"))
        #expect(try microsoft.profile(at: "contoso.example").issuer == "https://login.microsoftonline.com/contoso.example/v2.0")
        #expect(try microsoft.profile().issuer == nil, "each person has the issuer of their own tenant")
        let enterprise = try #require(ProviderProfile.builtIn("github-enterprise")).profile(at: "https://git.example")
        #expect(enterprise.accountEndpoint == "https://git.example/api/v3/user")
    }

    @Test func `AR18: compares the issuer that GitHub's callback names, and accepts no other`() throws {
        var pending = try AuthorizationRequest(to: .gitHub, client: client, redirectURI: redirectURI, scope: [], at: now).pending
        let state = pending.state.reveal()
        let good = Secret("\(redirectURI)?code=c&state=\(state)&iss=https%3A%2F%2Fgithub.com%2Flogin%2Foauth")
        let bad = Secret("\(redirectURI)?code=c&state=\(state)&iss=https%3A%2F%2Fgithub.example%2Flogin%2Foauth")
        var other = pending
        let failure = error { () throws(OAuthError) in try other.accept(bad, at: now) }
        #expect(failure?.code == .securityCheckFailed)
        _ = try pending.accept(good, at: now)
    }

    @Test func `uses the granted scope that Strava's callback contains`() throws {
        let server = ProviderProfile.strava
        var pending = try AuthorizationRequest(
            to: server, client: client, redirectURI: redirectURI, scope: ["read", "activity:read"], at: now
        ).pending
        let code = try pending.accept(Secret("\(redirectURI)?code=c&state=\(pending.state.reveal())&scope=read,other"), at: now)
        #expect(try TokenRequest.exchange(code, client: client, at: server).scope == ["read", "other"])
        var plain = server
        plain.quirks.authorization.callbackNamesGrantedScope = false
        #expect(try TokenRequest.exchange(code, client: client, at: plain).scope == ["read", "activity:read"])
    }
}
