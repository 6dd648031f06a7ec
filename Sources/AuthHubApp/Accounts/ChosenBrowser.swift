import WebAuthentication

/// Shows each page in the browser that the person has chosen by then. A session has one browser; which it is need not be known to it.
struct ChosenBrowser: WebAuthenticator {
    let browsers: Browsers
    let desk: SignInDesk

    var capabilities: WebAuthenticationCapabilities { browsers.shared.capabilities }

    func prepare(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt {
        let isEphemeral = await desk.usesEphemeralBrowser
        guard callback.kind == .pinPage else {
            return try await (isEphemeral ? browsers.ephemeral : browsers.shared).prepare(callback)
        }
        let pasting = (isEphemeral ? browsers.ephemeralPasting : nil) ?? browsers.pasting
        return try await pasting { [desk] problem in await desk.ask(problem) }.prepare(callback)
    }
}
