import AuthHub
import AuthHubPrimitives
import DevelopmentServer
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

/// Every provider that is known by name, played by the development server: its quirks are demanded there, and the client has them.
struct BuiltInProviderTests {
    static let names = ProviderProfile.builtIn.map(\.name).filter { !$0.hasPrefix("anilist") }

    @Test(arguments: names)
    func `a person signs in, the account is told, the token is renewed where it can be, and revoked where it can be`(name: String)
        async throws
    {
        try await ProviderSetting.using(name) { setting in
            let session = setting.session(of: setting.client())
            try await session.signIn()
            #expect(try await session.load(.get(setting.account)).status == .ok)
            guard case .signedIn(let signedIn) = session.state else {
                Issue.record("nobody is signed in: \(session.state)")
                return
            }
            let isRenewable = setting.profile.quirks.refreshTokens != .none && name != "linkedin"
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
    func `a client without a secret signs in where the provider has such clients`(name: String) async throws {
        try await ProviderSetting.using(name) { setting in
            let session = setting.session(of: setting.client(withSecret: false))
            try await session.signIn()
            #expect(try await session.load(.get(setting.account)).status == .ok)
            #expect(await session.signOut().isSignedOut)
        }
    }

    @Test(arguments: names)
    func `TR02: a wrong secret is told in the provider's own dress, and understood`(name: String) async throws {
        try await ProviderSetting.using(name) { setting in
            let session = setting.session(of: setting.client(secret: "wrong"))
            let failure = await #expect(throws: SessionError.self) { try await session.signIn() }
            #expect(failure?.serverError?.code == .invalidClient)
            let stored = try await setting.store.accounts()
            #expect(stored.isEmpty)
        }
    }

    @Test(arguments: names.filter { !["facebook", "linkedin", "mastodon", "github"].contains($0) && $0 != "github-enterprise" })
    func `TR32: a grant that was taken back is told in the provider's own dress, and signs out`(name: String) async throws {
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
