import AuthHubPrimitives

/// One ticket for each page that was sent to pass on a fragment: a request without a ticket is not from our page, and each is valid once.
///
/// Only the page itself can read its ticket: other origins may make the browser load it, but never see its contents.
struct FragmentTickets: Sendable {
    /// The maximum number of pages at a time; after that, the oldest ticket is removed.
    static let limit = 32

    private var tickets: [Secret<String>] = []

    mutating func issue() -> Secret<String> {
        let ticket = Secret(Base64URL.encode(randomBytes(count: 32)))
        tickets.append(ticket)
        tickets.removeFirst(max(0, tickets.count - Self.limit))
        return ticket
    }

    /// Redeems a ticket, which is invalid from then on.
    mutating func redeem(_ text: some StringProtocol) -> Bool {
        let shown = Secret(String(text))
        guard let index = tickets.firstIndex(where: { $0 == shown }) else { return false }
        tickets.remove(at: index)
        return true
    }
}
