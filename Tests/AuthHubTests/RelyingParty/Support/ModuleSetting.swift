import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import DevelopmentServer
import JOSE
import OAuthProtocol
import Testing
import WebAuthentication

/// The response type and the response mode that a sign-in requests.
struct ModuleVariant: Sendable, CustomTestStringConvertible {
    let type: ResponseType
    /// The response mode; nil for the response type's default.
    var mode: ResponseMode?

    var testDescription: String { type.rawValue + (mode.map { ", \($0.rawValue)" } ?? "") }
}

/// A relying party at a development server that plays a module of the OpenID Foundation's suite.
struct ModuleSetting: Sendable {
    static let secret = Secret("development-secret-of-the-web-app")

    let server: DevelopmentAuthorizationServer
    /// The issuer to sign in at; nil for the server's.
    var issuer: String?
    var client: OAuthClient
    var variant: ModuleVariant
    var scope: Scope = ["openid", "profile", "email"]
    var changeProfile: @Sendable (inout ProviderProfile) -> Void

    init(
        server: DevelopmentAuthorizationServer, issuer: String? = nil, client: OAuthClient = OAuthClient(id: "native-app"),
        variant: ModuleVariant = ModuleVariant(type: .code), changeProfile: @escaping @Sendable (inout ProviderProfile) -> Void = { _ in }
    ) {
        self.server = server
        self.issuer = issuer
        self.client = client
        self.variant = variant
        self.changeProfile = changeProfile
    }

    /// Returns the profile of a server of which only the issuer is known.
    func profile() throws -> ProviderProfile {
        var profile = ProviderProfile.issuer(try Issuer(issuer ?? server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment))
        profile.quirks.authorizationResponses.responseType = variant.type
        profile.quirks.authorizationResponses.responseMode = variant.mode
        changeProfile(&profile)
        return profile
    }

    func session(in browser: ModuleBrowser = ModuleBrowser()) throws -> OAuthSession {
        OAuthSession(
            OAuthSession.Configuration(
                server: try profile(), client: client, scope: scope,
                grant: .authorizationCode(BrowserAuthenticator(opener: browser)), store: MemoryCredentialStore(),
                dependencies: Dependencies(transport: NetworkTransport.shared)))
    }

    /// Signs in and reads userinfo. Returns the error; nil if both succeed.
    static func problem(of session: OAuthSession) async -> SessionError? {
        do throws(SessionError) {
            try await session.signIn()
            _ = try await session.userInfo()
            return nil
        } catch {
            return error
        }
    }
}

extension FaultPersona {
    /// Returns the fault persona that plays a module.
    static func module(_ suffix: String) throws -> FaultPersona {
        try #require(all.first { $0.id == "oidcc-client-test" + suffix }, "no persona plays \(suffix)")
    }
}
