public import AuthHubPrimitives

/// A prompt that asks the user for the browser's final URL if the callback cannot be received, or for the code on a provider's pin page.
///
/// It is called when a sign-in starts to wait, and again, with the problem, after each text that is not its callback. If it returns nil, it
/// is not called again, and the sign-in keeps waiting. Exceptions are a sign-in with a pin page, which is cancelled, and one that does not
/// wait when nothing was pasted. Its task is cancelled when the sign-in ends in another way.
public typealias PastePrompt = @Sendable (_ problem: String?) async -> Secret<String>?

/// A parser for the text that the user pasted: the whole URL, or the part after the redirect URI; with a pin page also the code or token
/// only.
struct PastedCallback: Sendable {
    let redirectURI: String
    var carrier = CallbackCarrier.query
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
            throw Problem(explanation: "this is no address: it is too long, or holds characters that no address holds")
        }
        if isPinPage { return try readPin(text) }
        let rest: String
        // Before its first “=”: the value of a parameter may be a URL, too.
        let holdsAddress = text.drop { "?#".contains($0) }.prefix { $0 != "=" }.contains { ":/?#".contains($0) }
        if holdsAddress {
            guard text.utf8.starts(with: redirectURI.utf8) else {
                throw Problem(explanation: "this address is another one: paste the one that begins with \(redirectURI)")
            }
            rest = String(text.dropFirst(redirectURI.count))
        } else {
            rest = text.hasPrefix("?") || text.hasPrefix("#") ? text : (carrier == .fragment ? "#" : "?") + text
        }
        guard rest.hasPrefix("?") || rest.hasPrefix("#"), rest.contains("=") else {
            throw Problem(explanation: "this is not enough: paste the whole address, which begins with \(redirectURI)")
        }
        guard rest.contains("state=") else {
            throw Problem(explanation: "part of the address is missing: paste all of it, which holds “state=”")
        }
        return CallbackURL(redirectURI + rest)
    }

    private func readPin(_ text: String) throws(Problem) -> CallbackURL {
        guard !text.isEmpty else { throw Problem(explanation: "this is not enough: paste what the page shows") }
        if text.utf8.starts(with: redirectURI.utf8) {
            let rest = String(text.dropFirst(redirectURI.count))
            guard rest.hasPrefix("?") || rest.hasPrefix("#"), rest.contains("=") else {
                throw Problem(explanation: "this is the page's address alone: paste what the page shows")
            }
            return CallbackURL(redirectURI + rest)
        }
        guard !text.contains("://") else {
            throw Problem(explanation: "this address is another one: paste what the page shows")
        }
        if text.hasPrefix("?") || text.hasPrefix("#") { return CallbackURL(redirectURI + text) }
        return CallbackURL(redirectURI, content: .pin(Secret(text)))
    }
}
