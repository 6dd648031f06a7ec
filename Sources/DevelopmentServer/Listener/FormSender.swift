import AuthHubPrimitives
import NIOCore
import NIOHTTP1
import NIOPosix

/// Posts forms to clients on this machine.
struct FormSender: Sendable {
    /// The response of a client.
    struct Response: Sendable {
        let status: Int
        let cacheControl: String?
    }

    /// How long a client may take to respond.
    private static let patience = Duration.seconds(30)

    /// Posts a form.
    ///
    /// - Returns: nil if the URL is not on this machine, or if no response arrives.
    func send(_ form: OutgoingForm) async -> Response? {
        guard let target = RequestTarget(form.url), let origin = Origin(url: form.url), origin.isLoopback, origin.scheme == "http" else {
            return nil
        }
        let sending = Task { try await Self.exchange(form.parameters, at: target, of: origin) }
        let cutOff = Task {
            try await Task.sleep(for: Self.patience)
            sending.cancel()
        }
        defer { cutOff.cancel() }
        return try? await sending.value
    }

    @concurrent
    private static func exchange(_ parameters: FormParameters, at target: RequestTarget, of origin: Origin) async throws -> Response? {
        let body = ByteBuffer(string: parameters.encoded())
        let head = HTTPRequestHead(
            version: .http1_1, method: .POST, uri: target.path,
            headers: [
                "Host": target.authority ?? origin.host, "Content-Type": "application/x-www-form-urlencoded",
                "Content-Length": String(body.readableBytes), "Connection": "close",
            ])
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
                case .head(let head):
                    response = Response(status: Int(head.status.code), cacheControl: head.headers.first(name: "Cache-Control"))
                case .body: break
                case .end: return response
                }
            }
            return nil
        }
    }
}
