import AsyncHTTPClient
import Synchronization

/// Clients that connect to a given address for one host name (``HTTPLoading/ConnectionAddress``): `HTTPClient` applies such a rule to all
/// its requests, not to one.
///
/// A few clients without requests are kept, to reuse their connections.
final class PinnedClients: Sendable {
    struct Pin: Sendable, Hashable {
        /// As the request's URL writes it.
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
    }

    /// How many clients without requests are kept.
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

    /// The client for a pin, until ``release(_:)``.
    ///
    /// - Returns: nil after ``shutdown()``.
    func take(_ pin: Pin) -> HTTPClient? {
        state.withLock { state in
            guard !state.isShutDown else { return nil }
            state.clock += 1
            var entry = state.entries[pin] ?? Entry(client: make(pin), users: 0, lastUse: 0)
            entry.users += 1
            entry.lastUse = state.clock
            state.entries[pin] = entry
            return entry.client
        }
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
