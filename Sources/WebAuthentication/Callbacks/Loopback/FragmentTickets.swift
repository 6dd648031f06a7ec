import AuthHubPrimitives

/// One ticket for each page that was sent to hand a fragment over: who has none was not sent by us, and each is good once.
///
/// Only the page itself can read its ticket: other origins may make the browser load it, and never see what it holds.
struct FragmentTickets: Sendable {
    /// More pages at a time nobody has; the oldest ticket goes.
    static let limit = 32

    private var tickets: [Secret<String>] = []

    mutating func issue() -> Secret<String> {
        let ticket = Secret(Base64URL.encode(randomBytes(count: 32)))
        tickets.append(ticket)
        tickets.removeFirst(max(0, tickets.count - Self.limit))
        return ticket
    }

    /// Takes a ticket; it is worth nothing from then on.
    mutating func redeem(_ text: some StringProtocol) -> Bool {
        let shown = Secret(String(text))
        guard let index = tickets.firstIndex(where: { $0 == shown }) else { return false }
        tickets.remove(at: index)
        return true
    }
}
