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
