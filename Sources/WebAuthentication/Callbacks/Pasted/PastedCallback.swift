public import AuthHubPrimitives

/// A closure that asks the user to paste the URL that the browser was redirected to, or the text that a provider's pin page shows.
///
/// The closure is called when a sign-in starts to wait for its callback. If the pasted text is not this callback, the closure is called
/// again, with a description of the problem.
///
/// If the closure returns nil, it is not called again, and the sign-in keeps waiting for the callback. The sign-in ends instead if it uses
/// a pin page, or if its ``BrowserAuthenticator`` was created with `waitsWhenNotPasted: false`. If the closure throws, such as with
/// `.cancelledByUser`, the sign-in ends with that error.
///
/// The task of the closure is cancelled when the sign-in finishes in another way.
public typealias PastePrompt = @Sendable (_ problem: String?) async throws(WebAuthenticationError) -> Secret<String>?

/// A parser for the text that the user pasted: the whole URL, or the part after the redirect URI; with a pin page also the code or token
/// only.
struct PastedCallback: Sendable {
    let redirectURI: String
    var responseMode = CallbackResponseMode.query
    /// Whether the redirect URI is a provider's page that shows a code or a token, without the `state` of this sign-in.
    var isPinPage = false

    struct Problem: Error, Sendable, Hashable {
        /// What to paste instead; contains no part of the pasted text.
        let explanation: String
    }

    /// Parses the text. White space is removed, because terminals and mail programs break long URLs into lines.
    func read(_ text: Secret<String>) throws(Problem) -> CallbackURL {
        let text = String(text.reveal().filter { !$0.isWhitespace })
        guard text.utf8.count <= CallbackAddress.maximumBytes, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Problem(explanation: "this is not a URL; it is too long or has characters that are not allowed in URLs")
        }
        if isPinPage { return try readPin(text) }
        let rest: String
        // Before its first “=”: the value of a parameter may be a URL, too.
        let holdsAddress = text.drop { "?#".contains($0) }.prefix { $0 != "=" }.contains { ":/?#".contains($0) }
        if holdsAddress {
            guard text.utf8.starts(with: redirectURI.utf8) else {
                throw Problem(explanation: "this is another URL; paste the one that begins with \(redirectURI)")
            }
            rest = String(text.dropFirst(redirectURI.count))
        } else {
            rest = text.hasPrefix("?") || text.hasPrefix("#") ? text : (responseMode == .fragment ? "#" : "?") + text
        }
        guard rest.hasPrefix("?") || rest.hasPrefix("#"), rest.contains("=") else {
            throw Problem(explanation: "part of the URL is missing; paste the whole URL, which begins with \(redirectURI)")
        }
        guard rest.contains("state=") else {
            throw Problem(explanation: "part of the URL is missing; paste the whole URL, which contains “state=”")
        }
        return CallbackURL(redirectURI + rest)
    }

    private func readPin(_ text: String) throws(Problem) -> CallbackURL {
        guard !text.isEmpty else { throw Problem(explanation: "part of the text is missing; paste all the text that the page shows") }
        if text.utf8.starts(with: redirectURI.utf8) {
            let rest = String(text.dropFirst(redirectURI.count))
            guard rest.hasPrefix("?") || rest.hasPrefix("#"), rest.contains("=") else {
                throw Problem(explanation: "this is only the page's URL; paste the text that the page shows")
            }
            return CallbackURL(redirectURI + rest)
        }
        guard !text.contains("://") else {
            throw Problem(explanation: "this is another URL; paste the text that the page shows")
        }
        if text.hasPrefix("?") || text.hasPrefix("#") { return CallbackURL(redirectURI + text) }
        return CallbackURL(redirectURI, content: .pin(Secret(text)))
    }
}
