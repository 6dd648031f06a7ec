import AuthHubPrimitives
import NIOHTTP1

/// The address that a browser is started with instead of the sign-in page's own URL: it leads on to the page, once.
///
/// Every user of the machine can read the arguments of a program. The page's URL holds `state` and the code challenge: with them, anyone
/// could sign in to their own account at the server and send the code that they receive to this sign-in, which would accept it. The start
/// address reveals nothing, and redirects only the user's own browser.
struct StartAddress: Sendable {
    /// What the path begins with; the ticket follows.
    static let folder = "/start/"

    private let ticket = Secret(Base64URL.encode(randomBytes(count: 32)))
    private let page: ShownURL
    private var isUsed = false

    init(leadingTo page: ShownURL) {
        self.page = page
    }

    var path: String { Self.folder + ticket.reveal() }

    /// - Returns: nil if this is not the address.
    mutating func page(for ticket: String) -> (any BrowserPage)? {
        guard Secret(ticket) == self.ticket else { return nil }
        defer { isUsed = true }
        return isUsed ? ResultPage.alreadyStarted : StartRedirect(location: page.text)
    }
}

/// The start addresses of one sign-in: another one for each time that the page is opened.
struct StartAddresses: Sendable {
    /// No user opens the page more often; the oldest address goes.
    static let limit = 32

    private var addresses: [StartAddress] = []

    mutating func append(_ address: StartAddress) {
        addresses.append(address)
        addresses.removeFirst(max(0, addresses.count - Self.limit))
    }

    /// - Returns: nil if this is none of the addresses.
    mutating func page(for ticket: String) -> (any BrowserPage)? {
        for index in addresses.indices {
            if let page = addresses[index].page(for: ticket) { return page }
        }
        return nil
    }
}

/// A redirect that leaves no trace of the start address.
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
