import ArgumentParser
import AuthHub
import OAuthProtocol

/// A login with a token of another program, which shows no page.
extension LoginCommand {
    func validateBroughtToken() throws {
        guard let option = brought.typed else { return }
        let others =
            [
                ("--flow \(flow.flow.rawValue)", flow.flow != .browser), ("--par", flow.pushes), ("--browser", browser.browser != nil),
                ("--ephemeral", browser.ephemeral), ("--headless", browser.headless),
            ].filter(\.1).map(\.0) + provider.redirectOptions + authorization.typed
        guard others.isEmpty else {
            throw ValidationError("\(others.joined(separator: " and ")) cannot be used with \(option), which shows no sign-in page.")
        }
        guard !brought.readsStandardInput || !provider.client.readsStandardInput else {
            throw ValidationError("Only one file can be standard input.")
        }
    }

    /// Returns the failure to report if a token of another program was not accepted.
    ///
    /// - Parameter login: The command that signs in with a page instead.
    func broughtTokenFailure(_ error: SessionError, login: String) -> Failure {
        let failure = Failure(error, login: login)
        if error.refreshTokenIsSpent, error.code != .storeFailed { return failure.hinting(login) }
        guard error.serverError?.code == .invalidGrant else { return failure }
        return Failure(
            failure.code, failure.exit, "the server does not accept the refresh token (\(error.explanation)); nothing was changed",
            hint: "check that it was issued to this client ID and was not used or replaced since; or sign in again: \(login)",
            serverError: error.serverError)
    }
}
