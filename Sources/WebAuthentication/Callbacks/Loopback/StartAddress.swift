import AuthHubPrimitives
import NIOHTTP1

/// The URL with which a browser is started instead of the sign-in page's own URL: it redirects to the page, once.
///
/// Every user of the machine can read the arguments of a program. The page's URL contains `state` and the code challenge: with them, anyone
/// could sign in to their own account at the server and send the resulting code to this sign-in, which would accept it. The start URL
/// reveals nothing, and redirects only the user's own browser.
struct StartAddress: Sendable {
    /// The prefix of the path; the ticket follows.
    static let folder = "/start/"

    private let ticket = Secret(Base64URL.encode(randomBytes(count: 32)))
    private let page: ShownURL
    private var isUsed = false

    init(leadingTo page: ShownURL) {
        self.page = page
    }

    var path: String { Self.folder + ticket.reveal() }

    /// Redeems a ticket.
    ///
    /// - Returns: nil if this is not the URL.
    mutating func page(for ticket: String) -> (any BrowserPage)? {
        guard Secret(ticket) == self.ticket else { return nil }
        defer { isUsed = true }
        return isUsed ? ResultPage.alreadyStarted : StartRedirect(location: page.text)
    }
}

/// The start URLs of one sign-in: another one each time the page is opened.
struct StartAddresses: Sendable {
    /// The maximum number of URLs, more than any user needs; after that, the oldest is removed.
    static let limit = 32

    private var addresses: [StartAddress] = []

    mutating func append(_ address: StartAddress) {
        addresses.append(address)
        addresses.removeFirst(max(0, addresses.count - Self.limit))
    }

    /// Redeems a ticket.
    ///
    /// - Returns: nil if this is not one of the URLs.
    mutating func page(for ticket: String) -> (any BrowserPage)? {
        for index in addresses.indices {
            if let page = addresses[index].page(for: ticket) { return page }
        }
        return nil
    }
}

/// A redirect that leaves no trace of the start URL.
struct StartRedirect: BrowserPage, Hashable {
    let location: String

    var status: HTTPResponseStatus { .seeOther }

    var headers: HTTPHeaders {
        [
            "Location": location,
            "Content-Length": "0",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
            "Connection": "close",
        ]
    }

    var html: String { "" }
}
