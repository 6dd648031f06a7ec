import AuthHubPrimitives
import OAuthProtocol

/// The questions to a user whose sign-in needs a client: where to register one, its ID, and its secret, which is not shown.
struct ClientQuestion: Sendable {
    let console: Console
    let profile: ProviderProfile

    /// Whether there is a user to ask.
    static func canAsk(_ console: Console) -> Bool { console.format == .text && HiddenLine.canAsk }

    /// Says where and how to register a client, and asks for its ID.
    ///
    /// - Parameters:
    ///   - advice: How to register the client.
    ///   - needsCallback: Whether the client needs a redirect URI.
    ///   - registration: The command that registers a client without the user; nil if the server does not allow that.
    /// - Returns: The client, without its secret.
    func client(_ advice: RegistrationAdvice, needsCallback: Bool, registration: String? = nil) throws(Failure) -> OAuthClient {
        console.say(
            invitation(advice, needsCallback: needsCallback, registration: registration), linking: profile.quirks.registration.page)
        let id = try line("Client ID", isValid: OAuthClient.isValidID, Failure.invalidClientID.message)
        guard needsCallback else { return OAuthClient(id: id) }
        if let redirectURI = RedirectURI(advice.redirectURI), !advice.hasPlaceholder {
            return OAuthClient(id: id, redirectURI: redirectURI)
        }
        let text = try line(
            "Redirect URI", isValid: { RedirectURI($0) != nil },
            "this is not a usable redirect URI, such as https://app.example.com/callback")
        return OAuthClient(id: id, redirectURI: RedirectURI(text) ?? .loopback)
    }

    /// Asks for the client secret.
    ///
    /// - Parameter isRequired: Whether the client must have one.
    /// - Returns: nil if the client has none.
    func secret(isRequired: Bool) throws(Failure) -> Secret<String>? {
        let question = "Type or paste the client secret, "
        let typed = HiddenLine.read(question + (isRequired ? "then press Return" : "or just press Return if the client has none"))
        HiddenLine.finish()
        guard !HiddenLine.interruption.isSet else { throw .interrupted }
        let secret = typed.map { $0.reveal().withoutPasteRemnants }.flatMap { $0.isEmpty ? nil : Secret($0) }
        guard secret != nil || !isRequired else { throw nothing("client secret") }
        return secret
    }

    private func invitation(_ advice: RegistrationAdvice, needsCallback: Bool, registration: String?) -> String {
        let guide = profile.quirks.registration
        let style = console.style
        var parts: [String] = []
        if let page = guide.page {
            parts += [
                "Sign-ins at \(profile.displayName) need a client that you register there, once, on this page:", "  " + style(page, .cyan),
            ]
        } else {
            parts.append("Sign-ins at \(profile.displayName) need a client that you register there, once.")
        }
        if needsCallback { parts += ["The redirect URI (callback URL) to enter there:", "  " + style(advice.redirectURI, .bold)] }
        if !guide.notes.isEmpty { parts.append(style(guide.notes.joined(separator: "\n"), .faint)) }
        let other = registration.map { " To let this tool register a client instead, press Ctrl-C and run: \($0)" } ?? ""
        parts.append("Then enter the client ID here; Ctrl-C cancels.\(other)")
        return parts.joined(separator: "\n\n")
    }

    private static let attempts = 3

    private func line(_ name: String, isValid: (String) -> Bool, _ problem: String) throws(Failure) -> String {
        for _ in 1...Self.attempts {
            let typed = ShownLine.read { console.say("\(name):") }
            guard !HiddenLine.interruption.isSet else { throw .interrupted }
            if typed?.hasMore ?? false {
                console.say("\(console.style("Ignored:", .yellow)) everything after the first line. It is not shown, and not used.")
            }
            let text = typed?.text.withoutPasteRemnants ?? ""
            guard !text.isEmpty else { throw nothing(name) }
            if isValid(text) { return text }
            console.say("\(console.style("Not accepted:", .yellow)) \(problem).")
        }
        throw .usage("no valid \(Self.inText(name)) was entered", hint: "run the same command again")
    }

    private func nothing(_ name: String) -> Failure {
        Failure("cancelled", .cancelled, "no \(Self.inText(name)) was entered", hint: "run the same command again")
    }

    /// Returns the name as in the middle of a sentence.
    private static func inText(_ name: String) -> String { name.first.map { $0.lowercased() + name.dropFirst() } ?? name }
}
