import WebAuthentication

/// Shows each page in the browser that the person has chosen by then. A session has one browser; which it is need not be known to it.
struct ChosenBrowser: WebAuthenticator {
    let browsers: Browsers
    let desk: SignInDesk

    var capabilities: WebAuthenticationCapabilities { browsers.shared.capabilities }

    func prepare(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt {
        try await browser(for: callback.kind).prepare(callback)
    }

    /// Whether the browser that is chosen now tells that its window was closed.
    @MainActor func noticesClosedPage(for callback: CallbackMethod.Kind) -> Bool {
        browser(for: callback).capabilities.knowsCancel
    }

    @MainActor private func browser(for callback: CallbackMethod.Kind) -> any WebAuthenticator {
        let isEphemeral = desk.usesEphemeralBrowser
        guard callback == .pinPage else { return isEphemeral ? browsers.ephemeral : browsers.shared }
        let pasting = (isEphemeral ? browsers.ephemeralPasting : nil) ?? browsers.pasting
        return pasting { [desk] problem in await desk.ask(problem) }
    }
}
