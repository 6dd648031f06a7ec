import AsyncHTTPClient
import AuthHubPrimitives
import HTTPTypes
public import HTTPLoading
import NIOCore
import NIOHTTP1

/// Sends requests over the network with AsyncHTTPClient: HTTP/1.1, and HTTP/2 where the server offers it over TLS.
///
/// It follows no redirects, keeps no cookies, asks for no compression, and uses no proxy. A connection has 10 seconds to come about; the
/// whole exchange ends at the request's ``HTTPLoading/AttemptTimeout``. Bodies of responses stream: nothing is read ahead of their reader
/// but what is on its way, and a body that is let go unread takes its connection along.
public final class NetworkTransport: Transport {
    /// One for the whole process, which lives as long as it does.
    public static let shared = NetworkTransport(lifetime: .process, userAgent: defaultUserAgent)

    /// What a request without a `User-Agent` field of its own says; some servers refuse requests that say nothing.
    public static let defaultUserAgent = "AuthHub/\(AuthHubVersion.current)"

    private enum Lifetime {
        case process
        case instance
    }

    private let client: HTTPClient
    private let lifetime: Lifetime
    private let userAgent: String

    /// A transport with connections of its own; ``shutdown()`` closes them, and so does letting the transport go.
    public convenience init(userAgent: String = NetworkTransport.defaultUserAgent) {
        self.init(lifetime: .instance, userAgent: userAgent)
    }

    private init(lifetime: Lifetime, userAgent: String) {
        client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: Self.configuration)
        self.lifetime = lifetime
        self.userAgent = userAgent
    }

    deinit {
        // A client that was not shut down traps when it goes; one that was merely says so.
        Task { [client] in try? await client.shutdown() }
    }

    /// Closes all connections; what is still under way fails, as does what comes after. Does nothing to ``shared``.
    public func shutdown() async {
        guard lifetime == .instance else { return }
        try? await client.shutdown()
    }

    /// Sends the request as it is, once.
    ///
    /// - Throws: ``HTTPLoading/LoadError`` with `.invalidRequest` where it has no scheme or authority, or cannot be written as HTTP;
    ///   `.cannotConnect`, `.notSecure`, `.connectionLost`, `.timedOut` or `.cancelled`. Reading the body later throws the last three.
    public func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        var message = try HTTPClientRequest(request, userAgent: userAgent)
        let body = UploadedBody(request)
        message.body = try await body.forClient()
        let deadline = NIODeadline.now() + TimeAmount(clamping: request.options[AttemptTimeout.self])
        let response: HTTPClientResponse
        do {
            response = try await client.execute(message, deadline: deadline)
        } catch {
            defer { body.stop() }
            throw body.failure ?? LoadError(network: error, for: request)
        }
        let reader = NetworkBodyReader(
            response.body, of: request, until: deadline, on: client.eventLoopGroup.any())
        let responseBody = ResponseBody(
            announcedLength: response.announcedLength(for: request.head.method),
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
        return LoadResponse(HTTPResponse(response), body: responseBody)
    }

    private static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(10)),
            decompression: .disabled)
        // A refused connection is an answer; whether to try again is a decision for the chain.
        configuration.connectionPool.retryConnectionEstablishment = false
        // The client's own spans carry whole URLs, and URLs carry secrets.
        configuration.tracing.tracer = nil
        return configuration
    }
}

extension TimeAmount {
    /// Negative durations are none, and none is longer than a hundred years.
    fileprivate init(clamping duration: Duration) {
        self = .init(min(max(duration, .zero), .seconds(100 * 365 * 86_400)))
    }
}
