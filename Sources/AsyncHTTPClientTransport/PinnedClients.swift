import AsyncHTTPClient
import Synchronization

/// Clients that connect to a given IP address for a host name (``HTTPLoading/ConnectionAddress``). `HTTPClient` applies such a rule to all
/// its requests, not to a single one.
///
/// A few idle clients are kept, to reuse their connections.
final class PinnedClients: Sendable {
    struct Pin: Sendable, Hashable {
        /// The host as the request's URL spells it.
        let host: String
        let address: String
    }

    private struct Entry {
        let client: HTTPClient
        var users: Int
        var lastUse: UInt64
    }

    private struct State {
        var entries: [Pin: Entry] = [:]
        var clock: UInt64 = 0
        var isShutDown = false

        /// Takes the client for a pin.
        ///
        /// - Parameter made: The client to add if there is none.
        mutating func use(_ pin: Pin, orElse made: HTTPClient? = nil) -> HTTPClient? {
            guard !isShutDown, let client = entries[pin]?.client ?? made else { return nil }
            clock += 1
            entries[pin] = Entry(client: client, users: (entries[pin]?.users ?? 0) + 1, lastUse: clock)
            return client
        }
    }

    /// The maximum number of idle clients.
    static let idleLimit = 4

    private let state = Mutex(State())
    private let make: @Sendable (Pin) -> HTTPClient

    init(_ make: @escaping @Sendable (Pin) -> HTTPClient) {
        self.make = make
    }

    deinit {
        let clients = state.withLock { $0.entries.values.map(\.client) }
        for client in clients { Self.shutDown(client) }
    }

    /// Returns the client for a pin, until ``release(_:)``.
    ///
    /// - Returns: nil after ``shutdown()``.
    func take(_ pin: Pin) -> HTTPClient? {
        if let client = state.withLock({ $0.use(pin) }) { return client }
        // Not under the lock. If two are created at the same time, one is used.
        let made = make(pin)
        let client = state.withLock { $0.use(pin, orElse: made) }
        if client !== made { Self.shutDown(made) }
        return client
    }

    func release(_ pin: Pin) {
        let surplus = state.withLock { state -> HTTPClient? in
            state.entries[pin]?.users -= 1
            let idle = state.entries.filter { $0.value.users == 0 }
            guard idle.count > Self.idleLimit, let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else { return nil }
            return state.entries.removeValue(forKey: oldest)?.client
        }
        if let surplus { Self.shutDown(surplus) }
    }

    func shutdown() async {
        let clients = state.withLock { state in
            state.isShutDown = true
            defer { state.entries = [:] }
            return state.entries.values.map(\.client)
        }
        for client in clients { try? await client.shutdown() }
    }

    private static func shutDown(_ client: HTTPClient) {
        Task { try? await client.shutdown() }
    }
}
