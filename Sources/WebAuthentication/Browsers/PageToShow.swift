/// The page of one sign-in, and the address for a browser whose arguments others can see.
struct PageToShow: Sendable {
    /// The page's own URL: for the user, and for a browser that gets it over a private channel.
    let url: ShownURL
    private let start: @Sendable () async throws(WebAuthenticationError) -> String

    /// - Parameter start: Makes the start address; called when it is needed.
    init(_ url: ShownURL, start: @escaping @Sendable () async throws(WebAuthenticationError) -> String) {
        self.url = url
        self.start = start
    }

    /// A page that nothing needs to hide.
    init(openly url: ShownURL) {
        self.init(url) { () throws(WebAuthenticationError) in url.text }
    }

    /// The address for an argument list, which every user of the machine can read (``StartAddress``).
    func address() async throws(WebAuthenticationError) -> ShownURL {
        try ShownURL(try await start())
    }
}

/// An opener that chooses what its browser gets: the page's own URL, or the start address that leads there.
protocol PrivatelyOpening: PageOpener {
    func openWindow(_ page: PageToShow) async throws(WebAuthenticationError) -> (any BrowserWindow)?
}

/// An opener whose browser can send more header fields with the first request for the page.
protocol HeaderFieldSending: PageOpener {
    func openWindow(_ page: PageToShow, headerFields: [String: String]) async throws(WebAuthenticationError) -> (any BrowserWindow)?
}

extension WebAuthenticationError {
    static var sendsNoHeaderFields: Self {
        Self(.cannotShow, "this browser does not support additional header fields; remove them")
    }
}
