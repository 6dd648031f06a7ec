import AsyncHTTPClient
import AuthHubPrimitives
import HTTPTypes
public import HTTPLoading
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

/// A transport that sends requests over the network with AsyncHTTPClient: over HTTP/1.1, or HTTP/2 if configured.
///
/// It does not follow redirects or store cookies. Without a custom ``Configuration``, it requests no compression, uses no proxy, trusts the
/// system's certificate authorities, supports only TLS 1.2 and 1.3 (RFC 9325 §3.1.1), and allows 10 seconds to connect.
/// ``HTTPLoading/AttemptTimeout`` limits the time of the whole exchange. Response bodies are streamed: only the bytes that are in transit
/// are buffered, and a body that is released before its end closes its connection.
///
/// If the head of a response has more than 256 fields, a field of more than 80 KiB, or more than 1 MiB in total, the request fails with
/// ``HTTPLoading/LoadError`` and `.tooLarge`. Over HTTP/2, the limit is 16 KiB in total, and the error is `.connectionLost`.
public final class NetworkTransport: Transport {
    /// The transport that the whole process shares. It is never shut down.
    public static let shared = NetworkTransport(lifetime: .process, Configuration(), tls: nil)

    /// The `User-Agent` of requests that do not have this field. Some servers reject requests without one.
    public static let defaultUserAgent = "AuthHub/\(AuthHubVersion.current)"

    private enum Lifetime {
        case process
        case instance
    }

    private let client: HTTPClient
    /// The clients for requests with a ``HTTPLoading/ConnectionAddress``.
    private let pinned: PinnedClients
    /// The transports for the proxies of the configuration's rules.
    private let proxied: [Proxy: NetworkTransport]
    /// The timer that ends the reading of bodies whose time is over. A timer of the event loop for each body would wake the loop twice.
    private let timer = LoadTimer(clock: .continuous)
    private let lifetime: Lifetime
    private let configuration: Configuration

    /// Creates a transport with its own connections. They are closed by ``shutdown()``, or when the transport is deallocated.
    public convenience init(userAgent: String = NetworkTransport.defaultUserAgent) {
        var configuration = Configuration()
        configuration.userAgent = userAgent
        self.init(lifetime: .instance, configuration, tls: nil)
    }

    /// Creates a transport with a configuration.
    ///
    /// - Throws: ``ConfigurationError`` if a setting cannot work: trust roots without a certificate, a proxy without a host, or a limit
    ///   that is not positive.
    public convenience init(configuration: Configuration) throws(ConfigurationError) {
        try configuration.check()
        self.init(lifetime: .instance, configuration, tls: try configuration.trustRoots.tlsConfiguration())
    }

    private init(lifetime: Lifetime, _ configuration: Configuration, tls: TLSConfiguration?) {
        client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration.forClient(tls: tls))
        pinned = PinnedClients { pin in
            var pinning = configuration
            pinning.addresses = [pin.host: pin.address]
            return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: pinning.forClient(tls: tls))
        }
        let proxies = configuration.proxy == nil ? configuration.proxyRules?.proxies ?? [] : []
        proxied = Dictionary(
            uniqueKeysWithValues: proxies.map { proxy in
                var proxying = configuration
                proxying.proxy = proxy
                return (proxy, NetworkTransport(lifetime: .instance, proxying, tls: tls))
            })
        self.lifetime = lifetime
        self.configuration = configuration
    }

    deinit {
        // A client that was not shut down traps when it is deallocated, and `shutdown()` throws if it was shut down before.
        Task { [client] in try? await client.shutdown() }
    }

    /// Closes all connections. Requests in progress fail, and so do all later ones. Has no effect on ``shared``.
    public func shutdown() async {
        guard lifetime == .instance else { return }
        for transport in proxied.values { await transport.shutdown() }
        await pinned.shutdown()
        try? await client.shutdown()
    }

    /// Sends the request once, unchanged.
    ///
    /// - Throws: ``HTTPLoading/LoadError`` with `.invalidRequest` if the request has no scheme or authority, or cannot be written as HTTP;
    ///   with `.cannotConnect` or `.notSecure` if no connection was established; with `.connectionLost` (also if the response is cut off),
    ///   `.timedOut` or `.cancelled`; with `.invalidResponse` if the response is not valid HTTP, or its compressed body is damaged; or with
    ///   `.tooLarge` if the head or the decompressed body exceeds its limit. The last five errors can also occur later, when the body is
    ///   read.
    public func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        if !proxied.isEmpty, let origin = Origin(request.head), let proxy = configuration.proxyRules?.proxy(for: origin),
            let transport = proxied[proxy]
        {
            return try await transport.send(request)
        }
        guard let pin = PinnedClients.Pin(request) else { return try await send(request, by: client) }
        guard let client = pinned.take(pin) else {
            throw LoadError(.cannotConnect, for: request, explanation: "the transport was shut down")
        }
        do throws(LoadError) {
            let response = try await send(request, by: client)
            response.body.whenEnded { [pinned] in pinned.release(pin) }
            return response
        } catch {
            pinned.release(pin)
            throw error
        }
    }

    private func send(_ request: LoadRequest, by client: HTTPClient) async throws(LoadError) -> LoadResponse {
        var message = try HTTPClientRequest(request, as: configuration)
        let body = UploadedBody(request, on: client.eventLoopGroup)
        message.body = try await body.forClient()
        let limit = request.options[AttemptTimeout.self].clamped
        let deadline = LoadClock.continuous.now + limit
        let response: HTTPClientResponse
        do {
            response = try await exchange(message, by: client, until: deadline)
        } catch {
            defer { body.stop() }
            throw body.failure ?? LoadError(network: error, for: request).through(configuration.proxy, for: request)
        }
        // Over HTTP/2 the status has not been checked yet, and the type traps on an invalid one.
        guard (100...999).contains(response.status.code) else {
            defer { body.stop() }
            throw LoadError(.invalidResponse, for: request, explanation: "the response's status is not valid")
        }
        let isDecompressed = try response.isDecompressed(for: request, by: configuration.decompression)
        let reader = NetworkBodyReader(
            response.body, of: request, upTo: isDecompressed ? configuration.decompression.sizeForReader : nil, until: deadline, by: timer)
        let responseBody = ResponseBody(
            announcedLength: isDecompressed ? nil : response.announcedLength(for: request.head.method),
            cancel: {
                reader.cancel()
                body.stop()
            },
            next: { () async throws(LoadError) in
                do throws(LoadError) {
                    return try await reader.next()
                } catch {
                    body.stop()
                    throw error
                }
            })
        // After a success, the client continues to send, because the server may want the rest of the body.
        if response.status.code >= 300 { responseBody.whenEnded { body.stopAfterResponse() } }
        return LoadResponse(HTTPResponse(response, isDecompressed: isDecompressed), body: responseBody)
    }
}

extension PinnedClients.Pin {
    /// Creates a pin; returns nil if the request has no address, so that the system resolves the host.
    fileprivate init?(_ request: LoadRequest) {
        guard let address = request.options[ConnectionAddress.self], let host = Origin(request.head)?.host else { return nil }
        self.init(host: host, address: address)
    }
}

extension NetworkTransport {
    /// Sends the request without the client's own deadline: after a sleep, its event loops would give up although the response is in the
    /// socket.
    private func exchange(
        _ message: HTTPClientRequest, by client: HTTPClient, until deadline: LoadClock.Instant
    ) async throws -> HTTPClientResponse {
        let sending = Task { try await client.execute(message, deadline: .distantFuture) }
        let isLate = Mutex(false)
        let key = timer.at(deadline, graceIfLate: LoadTimer.grace) {
            isLate.withLock { $0 = true }
            sending.cancel()
        }
        defer { timer.cancel(key) }
        let result = await withTaskCancellationHandler {
            await sending.result
        } onCancel: {
            sending.cancel()
        }
        // A response that arrived at this moment was cancelled together with the task, and its body ends immediately.
        guard !isLate.withLock({ $0 }) else { throw HTTPClientError.deadlineExceeded }
        return try result.get()
    }
}

/// Shows nothing, because the underlying client contains the proxy's credentials.
extension NetworkTransport: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension NetworkTransport.Configuration {
    fileprivate func forClient(tls: TLSConfiguration?) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls ?? .modern,
            redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(connectTimeout.clamped)),
            proxy: proxy?.forClient,
            decompression: decompression.forClient)
        configuration.httpVersion = httpVersions == .http1Only ? .http1Only : .automatic
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionsPerHost
        configuration.dnsOverride = addresses
        // A refused connection is a result; retrying is up to the chain.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.http1_1ConnectionDebugInitializer = { HeadLimit.add(to: $0) }
        // The client's own spans contain whole URLs, which may contain secrets.
        configuration.tracing.tracer = nil
        return configuration
    }
}
