import AuthHub
import AuthHubPrimitives
import DevelopmentServer
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

/// Signs in at every built-in provider. The development server imitates the provider, and requires its quirks from the client.
struct BuiltInProviderTests {
    static let names = ProviderProfile.builtIn.map(\.name).filter { !$0.hasPrefix("anilist") }

    @Test(arguments: names)
    func `signs in, reads the account, and refreshes and revokes the token if the provider supports it`(name: String)
        async throws
    {
        try await ProviderSetting.using(name) { setting in
            let session = setting.session(of: setting.client())
            try await session.signIn()
            #expect(try await session.load(.get(setting.account)).status == .ok)
            guard case .signedIn(let signedIn) = session.state else {
                Issue.record("no one is signed in: \(session.state)")
                return
            }
            let isRenewable = ![.none, .asIssued].contains(setting.profile.quirks.refreshTokens)
            #expect(signedIn.isRenewable == isRenewable)
            if name != "github-app" { #expect(signedIn.scope == setting.profile.defaultScope) }
            if isRenewable {
                setting.server.faults.expireAllAccessTokens()
                #expect(try await session.load(.get(setting.account)).status == .ok)
                try await session.refresh()
                #expect(setting.server.log.refreshes == 2)
                #expect(setting.server.log.reuseDetected == 0)
            }
            #expect(await session.signOut().isSignedOut)
            #expect((setting.server.log.revocations > 0) == setting.profile.revokes)
        }
    }

    @Test(
        arguments: names.filter { name in
            guard let known = try? ProviderProfile.builtIn(name)?.profile(at: nil) else { return false }
            return known.quirks.requests.clientWithoutSecret != nil
        })
    func `signs in without a secret if the provider has public clients`(name: String) async throws {
        try await ProviderSetting.using(name) { setting in
            let session = setting.session(of: setting.client(withSecret: false))
            try await session.signIn()
            #expect(try await session.load(.get(setting.account)).status == .ok)
            #expect(await session.signOut().isSignedOut)
        }
    }

    @Test(arguments: names)
    func `TR02: understands a wrong secret reported in the provider's own format`(name: String) async throws {
        try await ProviderSetting.using(name) { setting in
            let session = setting.session(of: setting.client(secret: "wrong"))
            let failure = await #expect(throws: SessionError.self) { try await session.signIn() }
            #expect(failure?.serverError?.code == .invalidClient)
            let stored = try await setting.store.accounts()
            #expect(stored.isEmpty)
        }
    }

    private static let namesWithoutRefresh = ["facebook", "linkedin", "mastodon", "github", "github-enterprise", "slack-openid"]

    @Test(arguments: names.filter { !namesWithoutRefresh.contains($0) })
    func `TR32: signs out for a revoked grant reported in the provider's own format`(name: String) async throws {
        try await ProviderSetting.using(name) { setting in
            let session = setting.session(of: setting.client())
            try await session.signIn()
            setting.server.faults.revokeAllGrants()
            let failure = await #expect(throws: SessionError.self) { try await session.refresh() }
            #expect(failure?.code == .signInNeeded)
            #expect(failure?.serverError?.code == .invalidGrant)
            let stored = try await setting.store.accounts()
            #expect(stored.isEmpty)
        }
    }
}

extension ProviderProfile {
    fileprivate var revokes: Bool {
        switch revocation {
        case .none: false
        case .standard: endpoints?.revocation != nil
        case .gitHub, .authorizedByToken: true
        }
    }
}
