import NIOHTTP1

/// What a browser at the loopback port is answered with.
protocol BrowserPage: Sendable {
    var status: HTTPResponseStatus { get }
    var headers: HTTPHeaders { get }
    var html: String { get }
}
