import AuthHubPrimitives
import NIOCore
import NIOHTTP1
import NIOPosix

/// A request of the server to a client on this machine.
struct LoopbackExchange: Sendable {
    /// The response of a client.
    struct Response: Sendable {
        let status: Int
        let headers: HTTPHeaders
        var body: [UInt8] = []
    }

    let url: String
    /// The form to post; nil for a GET request.
    var form: FormParameters?

    /// How long a client may take to respond.
    private static let timeLimit = Duration.seconds(30)
    private static let bodyLimit = 64 * 1024

    /// Sends the request.
    ///
    /// - Returns: nil if the URL is not an http URL on this machine, if no response arrives, or if its body is too large.
    func response() async -> Response? {
        guard let target = RequestTarget(url), let origin = Origin(url: url), origin.isLoopback, origin.scheme == "http" else {
            return nil
        }
        let attempt = Task { try await exchange(at: target, of: origin) }
        let timeout = Task {
            try await Task.sleep(for: Self.timeLimit)
            attempt.cancel()
        }
        defer { timeout.cancel() }
        return try? await attempt.value
    }

    @concurrent
    private func exchange(at target: RequestTarget, of origin: Origin) async throws -> Response? {
        let body = ByteBuffer(string: form?.encoded() ?? "")
        var headers: HTTPHeaders = ["Host": target.authority ?? origin.host, "Connection": "close"]
        if form != nil {
            headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            headers.add(name: "Content-Length", value: String(body.readableBytes))
        }
        let head = HTTPRequestHead(version: .http1_1, method: form == nil ? .GET : .POST, uri: target.path, headers: headers)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: origin.host.filter { !"[]".contains($0) }, port: origin.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(contentsOf: [.head(head), .body(.byteBuffer(body)), .end(nil)])
            var response: Response?
            for try await part in inbound {
                switch part {
                case .head(let head): response = Response(status: Int(head.status.code), headers: head.headers)
                case .body(let bytes):
                    response?.body += bytes.readableBytesView
                    guard response?.body.count ?? 0 <= Self.bodyLimit else { return nil }
                case .end: return response
                }
            }
            return nil
        }
    }
}
