import NIOCore

/// The open connections in the order of arrival, with a maximum number.
struct ConnectionList: Sendable {
    private struct Entry: Sendable {
        let channel: any Channel
        var hasRequest = false
    }

    private let limit: Int
    private var entries: [Entry] = []

    init(limit: Int) {
        self.limit = limit
    }

    var channels: [any Channel] { entries.map(\.channel) }

    /// Adds a connection.
    ///
    /// - Returns: The channel to evict, if any: silent ones first, so that they cannot keep a callback out.
    mutating func opened(_ channel: any Channel) -> (any Channel)? {
        entries.append(Entry(channel: channel))
        guard entries.count > limit else { return nil }
        let index = entries.firstIndex { !$0.hasRequest } ?? entries.startIndex
        return entries.remove(at: index).channel
    }

    mutating func sentRequest(_ channel: any Channel) {
        guard let index = entries.firstIndex(where: { $0.channel === channel }) else { return }
        entries[index].hasRequest = true
    }

    mutating func closed(_ channel: any Channel) {
        entries.removeAll { $0.channel === channel }
    }
}
