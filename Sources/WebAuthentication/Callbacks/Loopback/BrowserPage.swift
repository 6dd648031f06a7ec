import NIOHTTP1

/// A response to a browser at the loopback port.
protocol BrowserPage: Sendable {
    var status: HTTPResponseStatus { get }
    var headers: HTTPHeaders { get }
    var html: String { get }
}
