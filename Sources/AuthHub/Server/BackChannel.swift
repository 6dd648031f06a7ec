import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Logging
import OAuthProtocol
import Platform

/// Sends requests to the authorization server's own endpoints: without the access token, redirects or retries, with at most 1 MiB per
/// response and 30 seconds per request. The app's loaders run before these rules are applied.
struct BackChannel: Sendable {
    private let chain: Chain
    /// nil if the app has set no loaders for these requests.
    private let serverLoaders: ServerLoaders?
    /// The metadata cache, shared by everything that has the same dependencies.
    let cache: MetadataCache
    /// The cache of servers' keys, shared in the same way.
    let keySetCache: KeySetCache
    let now: @Sendable () -> Date
    private let logger: Logger?
    /// Decides which hosts requests and pages may be on; nil for a server that no untrusted server named.
    private let hosts: HostGuard?

    init(_ dependencies: Dependencies) {
        hosts = dependencies.hostGuard
        cache = dependencies.metadataCache
        keySetCache = dependencies.keySetCache
        now = dependencies.now
        logger = dependencies.logger
        serverLoaders = ServerLoaders(dependencies.serverLoaders)
        // Not every transport enforces the timeout itself, and one that does not would block all waiting callers.
        let rules: [any Loader] = [AttemptTimeoutLoader()] + (dependencies.hostGuard.map { [ReachLoader($0)] } ?? [])
        chain = dependencies.chain((serverLoaders?.loaders ?? []) + rules)
    }

    func send(_ message: BackChannelRequest) async throws(SessionError) -> (head: HTTPResponse, body: Secret<[UInt8]>) {
        let signed: BackChannelRequest
        do throws(OAuthError) {
            signed = try await message.signed(at: now())
        } catch {
            throw SessionError(error)
        }
        return try await transmit(signed)
    }

    private func transmit(_ message: BackChannelRequest) async throws(SessionError) -> (head: HTTPResponse, body: Secret<[UInt8]>) {
        let bytes = message.body.reveal()
        return try await send(LoadRequest(message.head, body: bytes.isEmpty ? .empty : .bytes(bytes)))
    }

    /// Checks the URL of a page before a browser opens it.
    ///
    /// - Throws: ``SessionError`` with `.securityCheckFailed` if an untrusted server named a page in a private network, where opening it might
    ///   have an effect (RFC 9728 §7.7).
    func checkPage(_ url: String) async throws(SessionError) {
        guard let hosts, let origin = Origin(url: url), case .outOfReach = await hosts.verdict(on: origin) else { return }
        throw SessionError(
            .securityCheckFailed,
            "the page is on \(origin), which is on this machine or in a private network, and metadata from other servers must not refer to such hosts"
        )
    }

    /// Logs the irregularities of a response that was accepted.
    func tell(_ irregularities: [String]) {
        for irregularity in irregularities { logger?.warning("\(irregularity)") }
    }

    /// - Parameter token: The access token to send; nil for none.
    func get(
        _ url: String, accepting types: String = "application/json", token: Secret<String>? = nil
    ) async throws(SessionError) -> (head: HTTPResponse, body: Secret<[UInt8]>) {
        var request: LoadRequest
        do {
            request = try LoadRequest.get(url, headers: [.accept: types])
            if let token { request.head.headerFields[.authorization] = "Bearer \(token.reveal())" }
        } catch {
            throw SessionError(error)
        }
        return try await send(request)
    }

    /// Requests a URL, and drops the body of the response, which may be endless.
    ///
    /// - Throws: ``SessionError`` with `.unreachable` if no response arrives.
    func head(of url: String, accepting types: String) async throws(SessionError) -> HTTPResponse {
        let request: LoadRequest
        do {
            request = try LoadRequest.get(url, headers: [.accept: types])
        } catch {
            throw SessionError(error)
        }
        return try await send(request, readsBody: false).head
    }

    func send(
        _ request: LoadRequest, readsBody: Bool = true
    ) async throws(SessionError) -> (head: HTTPResponse, body: Secret<[UInt8]>) {
        var request = request
        request.options[AttemptTimeout.self] = Self.timeLimit
        do throws(LoadError) {
            guard let serverLoaders else { return try await exchange(request, readsBody: readsBody) }
            let passage = try serverLoaders.passage(of: request)
            defer { passage.close() }
            let admitted = passage.request
            return try await chain.within(Self.timeLimit, for: request) { () async throws(LoadError) in
                try await exchange(admitted, readsBody: readsBody)
            }
        } catch {
            throw SessionError(error)
        }
    }

    private static let timeLimit = Duration.seconds(30)

    private func exchange(
        _ request: LoadRequest, readsBody: Bool
    ) async throws(LoadError) -> (head: HTTPResponse, body: Secret<[UInt8]>) {
        let response = try await chain.load(request)
        guard readsBody else {
            response.body.cancel()
            return (response.head, Secret([]))
        }
        return (response.head, Secret(try await response.body.collect(upTo: BackChannelRequest.responseLimit)))
    }
}
