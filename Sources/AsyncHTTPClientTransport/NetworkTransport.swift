import AsyncHTTPClient
import AuthHubPrimitives
import HTTPTypes
public import HTTPLoading
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

/// Sends requests over the network with AsyncHTTPClient: HTTP/1.1, and HTTP/2 where that is asked for.
///
/// It follows no redirects and keeps no cookies. Without a ``Configuration`` of its own it asks for no compression, uses no proxy, trusts
/// the system's roots, speaks TLS 1.2 and 1.3 alone (RFC 9325 §3.1.1), and gives a connection 10 seconds to come about. The whole exchange ends at the request's
/// ``HTTPLoading/AttemptTimeout``. Bodies of responses stream: nothing is read ahead of their reader but what is on its way, and a body
/// that is let go unread takes its connection along.
///
/// The head of a response ends in ``HTTPLoading/LoadError`` with `.tooLarge` where it has more than 256 fields, a field of more than
/// 80 KiB, or more than 1 MiB in all; over HTTP/2, 16 KiB in all end it with `.connectionLost`.
public final class NetworkTransport: Transport {
    /// One for the whole process, which lives as long as it does.
    public static let shared = NetworkTransport(lifetime: .process, Configuration(), tls: nil)

    /// What a request without a `User-Agent` field of its own says; some servers refuse requests that say nothing.
    public static let defaultUserAgent = "AuthHub/\(AuthHubVersion.current)"

    private enum Lifetime {
        case process
        case instance
    }

    private let client: HTTPClient
    /// For requests that name their ``HTTPLoading/ConnectionAddress``.
    private let pinned: PinnedClients
    /// Ends the reading of bodies whose time is over; a timer of the event loop for each would wake it twice.
    private let timer = LoadTimer(clock: .continuous)
    private let lifetime: Lifetime
    private let configuration: Configuration

    /// A transport with connections of its own; ``shutdown()`` closes them, and so does letting the transport go.
    public convenience init(userAgent: String = NetworkTransport.defaultUserAgent) {
        var configuration = Configuration()
        configuration.userAgent = userAgent
        self.init(lifetime: .instance, configuration, tls: nil)
    }

    /// The same, configured.
    ///
    /// - Throws: ``ConfigurationError`` for settings that cannot work: trust roots without a certificate, a proxy without a host, a limit
    ///   that is not more than zero.
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
        self.lifetime = lifetime
        self.configuration = configuration
    }

    deinit {
        // A client that was not shut down traps when it goes; one that was merely says so.
        Task { [client] in try? await client.shutdown() }
    }

    /// Closes all connections; what is still under way fails, as does what comes after. Does nothing to ``shared``.
    public func shutdown() async {
        guard lifetime == .instance else { return }
        await pinned.shutdown()
        try? await client.shutdown()
    }

    /// Sends the request as it is, once.
    ///
    /// - Throws: ``HTTPLoading/LoadError`` with `.invalidRequest` where it has no scheme or authority, or cannot be written as HTTP;
    ///   `.cannotConnect`, `.notSecure`, `.connectionLost`, `.timedOut`, `.cancelled`, or `.tooLarge` for a head or a decompressed body over
    ///   its limit. Reading the body later throws the last four.
    public func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
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
            throw body.failure ?? LoadError(network: error, for: request)
        }
        // Over HTTP/2 nobody has looked at it, and the type traps for what is none.
        guard (100...999).contains(response.status.code) else {
            defer { body.stop() }
            throw LoadError(.connectionLost, for: request, explanation: "the response's status is not valid")
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
        // After a success the client goes on sending, as the server may want it.
        if response.status.code >= 300 { responseBody.whenEnded { body.stopAfterResponse() } }
        return LoadResponse(HTTPResponse(response, isDecompressed: isDecompressed), body: responseBody)
    }
}

extension PinnedClients.Pin {
    /// nil if the request names no address, so that the system resolves the host.
    fileprivate init?(_ request: LoadRequest) {
        guard let address = request.options[ConnectionAddress.self], let host = Origin(request.head)?.host else { return nil }
        self.init(host: host, address: address)
    }
}

extension NetworkTransport {
    /// Does not use the client's own deadline: after a sleep, its event loops would give up although the response is in the socket.
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
        // A response that arrived at this moment was given up with the task, and its body ends at once.
        guard !isLate.withLock({ $0 }) else { throw HTTPClientError.deadlineExceeded }
        return try result.get()
    }
}

/// Shows nothing: the client below holds the credentials of the proxy.
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
        // A refused connection is an answer; whether to try again is a decision for the chain.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.http1_1ConnectionDebugInitializer = { HeadLimit.add(to: $0) }
        // The client's own spans carry whole URLs, and URLs carry secrets.
        configuration.tracing.tracer = nil
        return configuration
    }
}
