import AuthHub
import OAuthProtocol
import WebAuthentication

extension BrowserRequest {
    /// Returns an authenticator for which the user opens the page, in any browser, and pastes its final URL.
    ///
    /// - Throws: ``Failure`` if there is nothing to paste for the redirect URI.
    func pasteAuthenticator(
        for profile: ProviderProfile, receiving redirectURI: RedirectURI, console: Console, trace: Trace?
    ) throws(Failure) -> BrowserAuthenticator {
        let callback = CallbackMethod(redirectURI, at: profile)
        do {
            let choice = try BrowserChoice(for: BrowserRequirements(callback: callback.kind, browser: .none), given: .here(for: callback))
            let prompt = TerminalPaste(console, asksAtOnce: true, isPinPage: callback.kind == .pinPage)?.prompt ?? LinePaste(console).prompt
            return BrowserAuthenticator(
                opener: choice.opener, waitsWhenNotShown: true, waitsWhenNotPasted: false,
                onShow: {
                    SignInNotice(url: $0, how: "in any browser", isPasted: true, isPinPage: callback.kind == .pinPage).show(
                        on: console, trace)
                },
                onIgnored: { console.tellIgnored($0) },
                pastePrompt: prompt)
        } catch {
            throw Failure(
                "cannot_sign_in_here", .failed, error.message, hint: "use --callback loopback or --flow device")
        }
    }
}
