import AsyncHTTPClientTransport
import AuthHub
import CredentialStorage
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension LoginCommand {
    /// How this login obtains its tokens.
    ///
    /// - Throws: ``Failure`` where it cannot; where a browser cannot be had and the server knows devices, it says so.
    func grant(at profile: ProviderProfile, _ settings: AccountSettings, _ console: Console) async throws(Failure) -> AuthorizationGrant {
        if settings.usesClientCredentials {
            guard settings.clientSecret != nil else {
                throw .usage(
                    "client-credentials is for clients that have a secret: this one has none", hint: "add --client-secret-file FILE")
            }
            return .clientCredentials
        }
        switch flow.flow {
        case .clientCredentials: return .clientCredentials
        case .device: return device(console)
        case .paste:
            return .authorizationCode(try browser.pasteAuthenticator(for: profile, receiving: settings.redirectURI, console: console))
        case .browser:
            do throws(Failure) {
                return .authorizationCode(try browser.authenticator(for: profile, receiving: settings.redirectURI, console: console))
            } catch {
                guard error.code == "cannot_sign_in_here", await knowsDevices(profile, settings.client) else { throw error }
                let hint = "--flow device, with a browser on any other device; or \(error.hint)"
                throw Failure(error.code, error.exit, error.message, hint: hint)
            }
        }
    }

    /// How long the person may take. A device's code has an end of its own, mostly later than that of a page.
    var patience: Duration {
        .seconds(browser.timeout ?? (flow.flow == .device ? Self.longestPatience : BrowserOptions.defaultTimeout))
    }

    private static let longestPatience = 3600

    private func device(_ console: Console) -> AuthorizationGrant {
        let qr = flow.qr
        return .deviceCode { code in DeviceNotice(code: code, qr: qr, now: Date()).show(on: console) }
    }

    private func knowsDevices(_ profile: ProviderProfile, _ client: OAuthClient) async -> Bool {
        let session = OAuthSession(
            OAuthSession.Configuration(
                server: profile, client: client, grant: .deviceCode { _ in }, store: MemoryCredentialStore(),
                dependencies: Dependencies(transport: NetworkTransport.shared)))
        return (try? await session.provider(needing: [.deviceAuthorization]).address(of: .deviceAuthorization)) != nil
    }
}

extension LoginCommand {
    /// With --flow paste, the tool waits only for standard input, even if the redirect URI leads to this machine.
    ///
    /// - Parameter inBrowser: The command that signs in with a browser.
    func inputEnded(inBrowser: String) -> Failure {
        Failure(
            "cannot_sign_in_here", .failed, "standard input has ended without the address that the browser ends at",
            hint:
                "run it in a terminal, or keep standard input open and write the address to it; for a browser on this machine: \(inBrowser) --browser none"
        )
    }

    /// A device has no browser that could be changed, and its time is the server's.
    func deviceFailure(_ failure: Failure, _ error: SessionError, login: String) -> Failure {
        switch error.code {
        case .timedOut where browser.timeout == nil && error.underlying is OAuthError:
            failure.hinting("\(login), and enter the code before it ends")
        case .misconfigured where (error.underlying as? OAuthError)?.code == .configuration:
            failure.hinting("--device-endpoint URL, or sign in without --flow device")
        case .serverRejected where error.serverError?.code == .unauthorizedClient:
            failure.hinting("enable the device flow in the client's registration")
        default: failure
        }
    }
}
