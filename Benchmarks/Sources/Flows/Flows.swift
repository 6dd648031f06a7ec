import AuthHub
import CredentialStorage
import JOSE
import Measuring
import OAuthProtocol
import SignedIn

/// Measures how many sign-ins per second a program completes on one core, without and with OpenID Connect. The server and the browser are
/// in the same process and do almost nothing, but the server signs ID tokens.
///
///     Flows [--smoke]
@main
struct Flows {
    static func main() async throws {
        let isSmoke = CommandLine.arguments.dropFirst() == ["--smoke"]
        let (count, comparison) = isSmoke ? (5, Comparison(rounds: 2)) : (1_000, Comparison(rounds: 11))
        let server = try SignInServer()
        try await checkIdentity(at: server)
        let (plain, openID) = (server.configuration(scope: ["repo"]), server.configuration(scope: ["openid", "repo"]))
        let times = try await comparison.measure([
            { for _ in 0..<count { try await signIn(plain) } },
            { for _ in 0..<count { try await signIn(openID) } },
            { for _ in 0..<count { _ = try await server.idToken(nonce: server.sampleNonce) } },
        ])
        let each = times.map { $0.each(of: count).median }
        let verified = max(each[1] - each[2], 1)
        print(
            "sign-in: \(1_000_000_000 / max(each[0], 1)) per second on one core (\(each[0]) ns); with OpenID Connect"
                + " \(1_000_000_000 / verified) per second (\(verified) ns, without the \(each[2]) ns that the server needs to sign);"
                + " \((Double(each[0]) / Double(verified)).rounded(2)) times the rate")
    }

    private static func signIn(_ configuration: OAuthSession.Configuration) async throws {
        let session = OAuthSession(configuration)
        try await session.signIn()
        await session.finish()
    }

    /// Throws if a sign-in does not verify who the user is, because the measurement would be meaningless.
    private static func checkIdentity(at server: SignInServer) async throws {
        let session = OAuthSession(server.configuration(scope: ["openid"], store: MemoryCredentialStore()))
        try await session.signIn()
        guard try await session.identity != nil else { throw SessionError(.securityCheckFailed, "the sign-in has no verified ID token") }
    }
}
