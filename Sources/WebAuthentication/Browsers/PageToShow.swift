/// The page of a sign-in, and a URL for a browser whose arguments others can read.
struct PageToShow: Sendable {
    /// The page's own URL: for the user, and for a browser that gets it over a private channel.
    let url: ShownURL
    private let start: @Sendable () async throws(WebAuthenticationError) -> String

    /// Creates a page.
    ///
    /// - Parameter start: Creates the start URL; called when it is needed.
    init(_ url: ShownURL, start: @escaping @Sendable () async throws(WebAuthenticationError) -> String) {
        self.url = url
        self.start = start
    }

    /// Creates a page whose URL need not be hidden.
    init(openly url: ShownURL) {
        self.init(url) { () throws(WebAuthenticationError) in url.text }
    }

    /// Returns the URL for an argument list, which every user of the machine can read (``StartAddress``).
    func address() async throws(WebAuthenticationError) -> ShownURL {
        try ShownURL(try await start())
    }
}

/// An opener that chooses the URL for its browser: the page's own URL, or the start URL that redirects there.
protocol PrivatelyOpening: PageOpener {
    func openWindow(_ page: PageToShow) async throws(WebAuthenticationError) -> (any BrowserWindow)?
}

/// An opener whose browser can send additional header fields with the first request for the page.
protocol HeaderFieldSending: PageOpener {
    func openWindow(_ page: PageToShow, headerFields: [String: String]) async throws(WebAuthenticationError) -> (any BrowserWindow)?
}

extension WebAuthenticationError {
    static var sendsNoHeaderFields: Self {
        Self(.cannotShow, "this browser does not support additional header fields; remove them")
    }
}
