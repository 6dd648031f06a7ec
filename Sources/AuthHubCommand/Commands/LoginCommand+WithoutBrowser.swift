import AuthHub
import OAuthProtocol
import WebAuthentication

/// The settings of a sign-in, and where they come from.
struct LoginClient: Sendable {
    let settings: AccountSettings
    /// The settings that are stored for the account.
    let known: AccountSettings?
    /// The client, if the arguments and the account do not determine it.
    let found: FoundClient?
    /// A token of another program, which replaces the sign-in page; nil if there is none.
    let token: BroughtToken?
}

extension LoginCommand {
    /// Signs in as requested. If the user has not chosen a flow, sits at a terminal and has no browser that reaches this machine, uses the
    /// device flow, or if the server does not allow that, a pasted URL.
    ///
    /// - Returns: The command with the flow that was used, and the session.
    func signInWithOrWithoutBrowser(
        _ client: LoginClient, at profile: ProviderProfile, in book: AccountBook, _ console: Console
    ) async throws(Failure) -> (command: Self, session: OAuthSession) {
        let codeIsShown = CancellationFlag()
        let redirectURI = client.settings.client.redirectURI
        guard flow.typedFlow == nil, client.token == nil, !client.settings.signsInWithoutPage, ClientQuestion.canAsk(console),
            let reason = browser.missingBrowser(for: profile, receiving: redirectURI)
        else { return (self, try await signIn(client, at: profile, in: book, codeIsShown: codeIsShown, console)) }
        let pasting = canPaste(redirectURI, at: profile) ? using(.paste) : nil
        var isRejected = false
        if needsNoPage, await knowsDevices(profile, client.settings) {
            let command = using(.device)
            console.say(
                "No browser is used, because \(reason). Signing in with a code instead; \(anotherWay("--flow paste", client.settings)).")
            do throws(Failure) {
                return (command, try await command.signIn(client, at: profile, in: book, codeIsShown: codeIsShown, console))
            } catch {
                // Whether a client may use codes is known only to the server.
                guard !codeIsShown.isSet, pasting != nil, ["denied", "server_rejected", "misconfigured"].contains(error.code) else {
                    throw error
                }
                isRejected = true
            }
        }
        guard let pasting else {
            return (self, try await signIn(client, at: profile, in: book, codeIsShown: codeIsShown, console))
        }
        console.say(
            isRejected
                ? "The server does not let this client use a code. Signing in with a pasted URL instead."
                : "No browser is used, because \(reason). Signing in with a pasted URL instead; \(anotherWay("--browser none", client.settings))."
        )
        return (pasting, try await pasting.signIn(client, at: profile, in: book, codeIsShown: codeIsShown, console))
    }

    /// Returns how to sign in differently. Only `login` has all options, so other commands suggest a complete command.
    private func anotherWay(_ option: String, _ settings: AccountSettings) -> String {
        if ProcessArguments.command?.first == "login" { return "for another way, add \(option)" }
        let url = settings.resource?.text ?? provider.provider ?? "URL"
        return "for another way: authhub login \(url.shellWord)\(provider.loopback.suffix)\(account.suffix) \(option)"
    }

    /// Whether the arguments have no options for the sign-in page, which the device flow does not show.
    private var needsNoPage: Bool { authorization.typed.isEmpty && provider.redirectOptions.isEmpty && !flow.pushes }

    private func canPaste(_ redirectURI: RedirectURI, at profile: ProviderProfile) -> Bool {
        let callback = CallbackMethod(redirectURI, at: profile)
        return callback.kind == .loopback || callback.kind == .pinPage
    }

    private func using(_ flow: FlowChoice) -> Self {
        var command = self
        command.flow.typedFlow = flow
        return command
    }
}
