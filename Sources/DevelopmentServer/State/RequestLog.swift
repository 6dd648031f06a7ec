import AuthHubPrimitives
import HTTPTypes
import Synchronization

/// A log of the requests that a server received, for tests. It contains names and counts, never the value of a token, a code or a secret.
public final class RequestLog: Sendable {
    /// A request that the server received.
    public struct Entry: Sendable, Hashable {
        /// The HTTP method, such as `POST`.
        public let method: String
        /// The path without the query.
        public let path: String
        /// The names of the query parameters, in order.
        package let queryNames: [String]
        /// The names of the form parameters in the body, in order.
        package let formNames: [String]
        /// The parameters of an authorization request, in the query or the form, that say how the user should sign in: `login_hint`,
        /// `prompt`, `max_age` and `acr_values`.
        package let signInOptions: [String: String]
        /// The `grant_type` of a token request.
        package let grantType: String?
        /// Whether the `Authorization` field has an access token, with the scheme `Bearer` or `token`.
        package let hasBearerToken: Bool
        /// The `User-Agent` field; nil if the request has none.
        package let userAgent: String?
        /// The media type of the body, without parameters; nil if the request has none.
        package let contentType: String?
        /// The HTTP status; nil if no response has been sent. If the connection was dropped, the status stays nil.
        public internal(set) var status: Int?
    }

    /// A client's response to a logout token.
    package struct LogoutNotification: Sendable, Hashable {
        package let clientID: String
        /// The HTTP status; nil if no response arrived.
        package let status: Int?
        /// The `Cache-Control` field of the response.
        package let cacheControl: String?
    }

    private struct State {
        var entries: [Entry] = []
        var forgotten = 0
        var counts: [Count: Int] = [:]
        var notifications: [LogoutNotification] = []
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextWatcher = 0
    }

    private enum Count {
        case refreshes, refreshTokenReuses, codeReuses, revocations, familiesRevoked
    }

    /// The maximum number of entries; older ones are removed.
    private static let limit = 10_000
    private let state = Mutex(State())

    init() {}
}

// MARK: - Reading

extension RequestLog {
    /// The requests so far, in the order of their arrival. At most the latest 10,000 requests are included.
    public var entries: [Entry] { state.withLock { $0.entries } }

    /// Returns the number of requests for this path that have arrived.
    public func requests(path: String) -> Int {
        entries.count { $0.path == path }
    }

    /// Returns the number of requests that have arrived at the token endpoint, whether or not they have a response yet.
    ///
    /// - Parameter grant: The grant type to count; nil for all.
    public func tokenRequests(grant: String? = nil) -> Int {
        entries.count { entry in entry.grantType.map { grant == nil || $0 == grant } ?? false }
    }

    /// The number of granted refreshes.
    package var refreshes: Int { count(.refreshes) }
    /// The number of times a used refresh token was presented again.
    package var reuseDetected: Int { count(.refreshTokenReuses) }
    /// The number of times a used code was presented again.
    package var codeReuseDetected: Int { count(.codeReuses) }
    /// The number of successful revocation requests, including requests with an unknown token.
    public var revocations: Int { count(.revocations) }
    /// The number of revoked token families: because of reuse, or because a refresh token or a grant was revoked.
    package var familiesRevoked: Int { count(.familiesRevoked) }

    /// The notifications of logouts that were posted to clients (OpenID Connect Back-Channel Logout 1.0 §2.5), in order.
    package var logoutNotifications: [LogoutNotification] { state.withLock { $0.notifications } }

    /// Waits until the log meets a condition. Also returns if the task is cancelled.
    public func wait(until condition: @Sendable (RequestLog) -> Bool) async {
        let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let watcher = state.withLock { state in
            state.nextWatcher += 1
            state.watchers[state.nextWatcher] = continuation
            return state.nextWatcher
        }
        defer { state.withLock { _ = $0.watchers.removeValue(forKey: watcher) } }
        if condition(self) { return }
        for await _ in changes where condition(self) { return }
    }

    private func count(_ count: Count) -> Int { state.withLock { $0.counts[count] ?? 0 } }
}

// MARK: - Writing

extension RequestLog {
    /// A ticket with which an entry is found later.
    struct Ticket: Sendable {
        fileprivate let number: Int
    }

    func arrived(_ request: IncomingRequest, tokenPath: String) -> Ticket {
        let form = request.form
        let entry = Entry(
            method: request.method.rawValue, path: request.path, queryNames: request.queryParameters?.parameters.map(\.name) ?? [],
            formNames: form?.parameters.map(\.name) ?? [],
            signInOptions: Self.signInOptions(in: request.queryParameters, form),
            grantType: request.path == tokenPath ? form?["grant_type"] ?? "authorization_code" : nil,
            hasBearerToken: request.bearerToken != nil, userAgent: request.headers[.userAgent],
            contentType: request.headers[.contentType].map { String($0.prefix { $0 != ";" }) })
        return change { state in
            state.entries.append(entry)
            if state.entries.count > Self.limit {
                state.entries.removeFirst(Self.limit / 4)
                state.forgotten += Self.limit / 4
            }
            return Ticket(number: state.forgotten + state.entries.count - 1)
        }
    }

    private static func signInOptions(in parameters: FormParameters?...) -> [String: String] {
        var options: [String: String] = [:]
        for name in ["login_hint", "prompt", "max_age", "acr_values"] {
            options[name] = parameters.lazy.compactMap { $0?[name] }.first
        }
        return options
    }

    func answered(_ ticket: Ticket, status: Int) {
        change { state in
            let index = ticket.number - state.forgotten
            if state.entries.indices.contains(index) { state.entries[index].status = status }
        }
    }

    /// Notes that a client was notified of a logout.
    func notified(_ clientID: String, status: Int?, cacheControl: String?) {
        change { $0.notifications.append(LogoutNotification(clientID: clientID, status: status, cacheControl: cacheControl)) }
    }

    func noteRefresh() { note([.refreshes]) }
    func noteRefreshTokenReuse(revokedFamily: Bool) { note([.refreshTokenReuses] + (revokedFamily ? [.familiesRevoked] : [])) }
    func noteCodeReuse(revokedFamily: Bool) { note([.codeReuses] + (revokedFamily ? [.familiesRevoked] : [])) }
    func noteRevocation(revokedFamily: Bool) { note([.revocations] + (revokedFamily ? [.familiesRevoked] : [])) }

    private func note(_ counts: [Count]) {
        change { state in
            for count in counts { state.counts[count, default: 0] += 1 }
        }
    }

    private func change<Value: Sendable>(_ body: (inout sending State) -> sending Value) -> Value {
        let (value, watchers) = state.withLock { state in (body(&state), Array(state.watchers.values)) }
        for watcher in watchers { watcher.yield() }
        return value
    }
}
