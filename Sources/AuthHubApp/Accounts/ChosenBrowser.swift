import WebAuthentication

/// Shows each page in the browser that the person has chosen by then. A session has one browser; which it is need not be known to it.
struct ChosenBrowser: WebAuthenticator {
    let browsers: Browsers
    let desk: SignInDesk

    var capabilities: WebAuthenticationCapabilities { browsers.shared.capabilities }

    func prepare(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt {
        let browser =
            if callback.kind == .pinPage {
                browsers.pasting { [desk] problem in await desk.ask(problem) }
            } else if await desk.usesEphemeralBrowser {
                browsers.ephemeral
            } else {
                browsers.shared
            }
        return try await browser.prepare(callback)
    }
}
