import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import HeadlessBrowsing
import CredentialStorage
import DevelopmentServer
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Platform
import Testing
import WebAuthentication

/// Runs the code of the guide "Several accounts and several servers" unchanged.
struct SeveralAccountsTests {
    private let store = MemoryCredentialStore()
    private let screen = Screen()
    private let browser = BrowserAuthenticator(
        opener: HeadlessBrowser(
            filling: FormFilling(user: "octocat", password: Secret("octocat-password")), transport: NetworkTransport.shared))

    @Test func `accounts at two servers are signed in, listed, relabelled and removed beside each other`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { first in
            try await withDevelopmentServer(.init(persona: .openID)) { second in
                try await tour(first, second)
            }
        }
    }

    private func tour(_ first: DevelopmentAuthorizationServer, _ second: DevelopmentAuthorizationServer) async throws {
        // snippet: accounts-servers
        func session(at server: DevelopmentAuthorizationServer, label: String) throws -> OAuthSession {
            let configuration = OAuthSession.Configuration(
                server: .issuer(try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)),
                client: OAuthClient(id: "native-app"),
                scope: ["openid", "offline_access"],
                grant: .authorizationCode(browser),
                store: store,
                dependencies: .network)
            return OAuthSession(configuration, label: label)
        }

        let work = try session(at: first, label: "work")
        let home = try session(at: first, label: "home")
        let club = try session(at: second, label: "club")
        for session in [work, home, club] { try await session.signIn() }
        // end
        for (session, server) in [(work, first), (home, first), (club, second)] {
            #expect(try await session.load(.get(server.issuer + "/userinfo")).status == .ok)
        }
        #expect(try await work.load(.get(second.issuer + "/userinfo")).status == .unauthorized)

        // snippet: accounts-list
        let accounts = OAuthAccounts(store: store)
        let listing = try await accounts.list()
        for account in listing.accounts {
            switch account.status(at: Date()) {
            case .signedIn, .renewable: screen.show("\(account.label): signed in")
            case .expired: screen.show("\(account.label): sign in again")
            case .unreadable: screen.show("\(account.label): damaged")
            }
        }
        // end
        #expect(screen.texts.sorted() == ["club: signed in", "home: signed in", "work: signed in"])

        // snippet: accounts-relabel
        let renamed = try await accounts.relabel(work.account, as: "office")
        // end
        #expect(renamed.label == "office")
        #expect(try await session(at: first, label: "office").load(.get(first.issuer + "/userinfo")).status == .ok)

        let (server, client) = (try ProviderProfile.development(second), OAuthClient(id: "native-app"))
        // snippet: accounts-remove
        let report = await accounts.remove("club", of: server, client: client)
        if report.isSignedOut { screen.show("club: signed out") }
        // end
        #expect(screen.texts.last == "club: signed out")
        #expect(second.log.revocations > 0 && first.log.revocations == 0)
        #expect(try await accounts.list().accounts.map(\.label) == ["home", "office"])
    }
}

extension ProviderProfile {
    fileprivate static func development(_ server: DevelopmentAuthorizationServer) throws -> Self {
        .issuer(try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment))
    }
}
