import AuthHub
import OAuthProtocol
import WebAuthentication

extension SignInService {
    /// Signs in as requested. If the user has not chosen a flow, sits at a terminal and has no browser that reaches this machine, uses the
    /// device flow, or if the server does not allow that, a pasted URL.
    ///
    /// - Returns: The service with the flow that was used, and the session.
    func signInWithOrWithoutBrowser(
        _ client: SignInClient, at profile: ProviderProfile
    ) async throws(Failure) -> (service: Self, session: OAuthSession) {
        let codeIsShown = CancellationFlag()
        let redirectURI = client.settings.client.redirectURI
        guard request.chosenFlow == nil, client.token == nil, !client.settings.signsInWithoutPage, ClientQuestion.canAsk(console),
            let reason = request.browser.missingBrowser(for: profile, receiving: redirectURI)
        else { return (self, try await signIn(client, at: profile, codeIsShown)) }
        let pasting = canPaste(redirectURI, at: profile) ? using(.paste) : nil
        var isRejected = false
        if needsNoPage, await knowsDevices(profile, client.settings) {
            let device = using(.device)
            console.say(
                "No browser is used, because \(reason). Signing in with a code instead; \(anotherWay("--flow paste", client.settings)).")
            do throws(Failure) {
                return (device, try await device.signIn(client, at: profile, codeIsShown))
            } catch {
                // Whether a client may use codes is known only to the server.
                guard !codeIsShown.isSet, pasting != nil, ["denied", "server_rejected", "misconfigured"].contains(error.code) else {
                    throw error
                }
                isRejected = true
            }
        }
        guard let pasting else {
            return (self, try await signIn(client, at: profile, codeIsShown))
        }
        console.say(
            isRejected
                ? "The server does not let this client use a code. Signing in with a pasted URL instead."
                : "No browser is used, because \(reason). Signing in with a pasted URL instead; \(anotherWay("--browser none", client.settings))."
        )
        return (pasting, try await pasting.signIn(client, at: profile, codeIsShown))
    }

    /// Returns how to sign in differently. Only `login` has all options, so other commands suggest a complete command.
    private func anotherWay(_ option: String, _ settings: AccountSettings) -> String {
        if request.words != nil { return "for another way, add \(option)" }
        let url = settings.resource?.text ?? request.provider.name ?? "URL"
        return "for another way: authhub login \(url.shellWord)\(request.provider.transport.suffix)\(request.account.suffix) \(option)"
    }

    /// Whether the arguments have no options for the sign-in page, which the device flow does not show.
    private var needsNoPage: Bool { request.page.typed.isEmpty && request.provider.redirectOptions.isEmpty && !request.pushes }

    private func canPaste(_ redirectURI: RedirectURI, at profile: ProviderProfile) -> Bool {
        let callback = CallbackMethod(redirectURI, at: profile)
        return callback.kind == .loopback || callback.kind == .pinPage
    }

    private func using(_ flow: FlowChoice) -> Self { changing { $0.chosenFlow = flow } }
}
