import AuthHubPrimitives

/// A URL that may be passed to a browser: `https`, or `http` on this machine, without user information, spaces or control characters.
struct ShownURL: Sendable {
    let text: String

    init(_ url: String) throws(WebAuthenticationError) {
        guard let origin = Origin(url: url), origin.scheme == "https" || origin.isLoopback,
            url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            throw WebAuthenticationError(
                .cannotShow,
                "the page's URL is not opened in a browser; use https, or http on this machine, without a user name, spaces or control characters"
            )
        }
        text = url
    }
}

/// Returns a URL without the ID token of the user who signs out (RP-Initiated Logout 1.0 §2), for places that others can read. The server
/// may then ask the user to confirm.
package func withoutIDTokenHint(_ url: String) -> String {
    guard let question = url.firstIndex(of: "?") else { return url }
    let parameters = url[url.index(after: question)...].split(separator: "&").filter { !$0.hasPrefix("id_token_hint=") }
    return url[...question] + parameters.joined(separator: "&")
}
