import AuthHub
import AuthHubPrimitives
import HeadlessBrowsing
import OAuthProtocol
import WebAuthentication

extension SignInService {
    /// Returns the failure to report. If the built-in user agent is stuck, its input is more likely to be wrong than the sign-in method.
    ///
    /// - Parameters:
    ///   - known: The settings that were stored before; they are stored again after a failure.
    ///   - found: The client, if the request does not name it.
    func failure(_ error: SessionError, _ settings: AccountSettings, known: AccountSettings?, _ found: FoundClient?) -> Failure {
        var line = LoginCommandLine(
            settings: settings, label: request.account.label, flow: request.flow, stored: known,
            secretFile: request.provider.client.secretFile, found: found?.client)
        // The sign-in has not begun, so the account does not have these settings.
        if let other = error.otherIssuer { (line.settings.provider, line.found) = (.issuer(other.issuer), nil) }
        // The hint has a placeholder for another scope.
        if error.serverError?.code == .invalidScope || choosesScope(settings, known: known) { line.settings.scope = nil }
        // If the page cannot be shown, the advice is to choose another browser.
        let options =
            (error.code == .cannotSignInHere ? "" : request.browser.suffix) + (request.pushes ? " --par" : "") + request.page.suffix
            + request.account.storage.suffix
        let login = line.text + options
        if let another = error.underlying as? UserCheck.DifferentUser {
            return .differentUser(
                another, label: request.account.label, isSpent: error.refreshTokenIsSpent,
                hint: "add --as NAME to keep both, or replace it: \(login) --replace")
        }
        if request.token != nil { return broughtTokenFailure(error, login: login) }
        let failure = Failure(error, login: login, timeout: String(longerPatience))
        if let other = error.otherIssuer { return failure.hinting(other.hint { _ in login }) }
        if settings.resource != nil, !settings.omitsResourceParameter, error.rejectsResourceParameter {
            return failure.hinting("if the server does not know the parameter “resource”: \(login) --without-resource")
        }
        if error.code == .timedOut, request.flow.usesRedirectURI, let advice = settings.lostRegistration(login: login) {
            return failure.hinting("\(failure.hint); or \(advice)")
        }
        if let hint = clientHint(error, settings, found, login: login) { return failure.hinting(hint) }
        if (error.underlying as? OAuthError)?.code == .unconfirmedEndpoints {
            let advice =
                settings.resource == nil
                ? "--token-endpoint URL, if the server's operator confirms that URL; or set the endpoints in a file: authhub provider add"
                : "--issuer \(settings.provider.name.shellWord), if its operator confirms that they belong together"
            return Failure(failure.code, failure.exit, error.explanation, hint: "\(login) \(advice)")
        }
        if request.flow == .device { return deviceFailure(failure, error, login: login) }
        if request.flow == .paste, (error.underlying as? WebAuthenticationError)?.code == .cannotReceive {
            line.flow = .browser
            return inputEnded(inBrowser: line.text)
        }
        if (error.underlying as? WebAuthenticationError)?.code == .cannotReceive {
            return receivingHint(settings).map { failure.hinting($0) } ?? failure
        }
        guard request.browser.isHeadless, error.code == .cannotSignInHere else { return failure }
        let cause = (error.underlying as? WebAuthenticationError)?.underlying
        if let advice = settings.lostRegistration(login: line.text) {
            return failure.hinting(cause is RejectedRequest ? advice : "check --user and the password; or \(advice)")
        }
        if cause is RejectedRequest {
            line.settings.client.id = "ID"
            return failure.hinting(
                "check the redirect URI, or name a client that is registered there: \(line.text)\(request.browser.suffix)\(options)")
        }
        let typed = cause is RejectedPassword ? "--user and the password" : "the client ID, --user and the password"
        return failure.hinting("check \(typed); or use a browser: \(login) --browser CMD")
    }
}

extension SignInService {
    /// Returns the failure to report if a token of another program was not accepted.
    ///
    /// - Parameter login: The command that signs in with a page instead.
    private func broughtTokenFailure(_ error: SessionError, login: String) -> Failure {
        let failure = Failure(error, login: login)
        if error.refreshTokenIsSpent, error.code != .storeFailed { return failure.hinting(login) }
        guard error.serverError?.code == .invalidGrant else { return failure }
        return Failure(
            failure.code, failure.exit, "the server does not accept the refresh token (\(error.explanation)); nothing was changed",
            hint: "check that it was issued to this client ID and was not used or replaced since; or sign in again: \(login)",
            serverError: error.serverError)
    }

    /// Returns the failure for the end of the input. With --flow paste, the tool waits only for standard input, even if the redirect URI
    /// leads to this machine.
    ///
    /// - Parameter inBrowser: The command that signs in with a browser.
    private func inputEnded(inBrowser: String) -> Failure {
        Failure(
            "cannot_sign_in_here", .failed, "standard input ended before the redirect URL arrived",
            hint:
                "run the command in a terminal, or keep standard input open and write the URL to it; to use a browser on this machine: \(inBrowser) --browser none"
        )
    }

    /// Adapts a failure of the device flow: there is no browser to change, and the server determines the time limit.
    private func deviceFailure(_ failure: Failure, _ error: SessionError, login: String) -> Failure {
        switch error.code {
        case .timedOut where request.browser.timeout == nil && error.underlying is OAuthError:
            failure.hinting("\(login), and enter the code before it expires")
        case .misconfigured where (error.underlying as? OAuthError)?.code == .configuration:
            failure.hinting("add --device-endpoint URL, or sign in without --flow device")
        case .serverRejected where error.serverError?.code == .unauthorizedClient:
            failure.hinting("enable the device flow in the client's registration")
        default: failure
        }
    }

    /// What to do if the response of the sign-in page cannot be received; nil if no option of this command would help.
    private func receivingHint(_ settings: AccountSettings) -> String? {
        switch CallbackMethod(settings.client.redirectURI) {
        case .loopback: "add --port 0 for any free port, if the server accepts it"
        case .customScheme(let scheme, _): "authhub handler register \(scheme), or add --callback loopback"
        case .https: "add --ephemeral --browser chromium, or --callback loopback"
        case .pinPage: nil
        }
    }
}
