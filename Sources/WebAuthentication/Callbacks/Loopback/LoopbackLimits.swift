import NIOCore

/// The limits on the time and resources that other programs can use at the loopback port.
struct LoopbackLimits: Sendable {
    /// The time from the connection to the end of the request's head: long enough for a machine that is busy starting a browser.
    var request: TimeAmount = .seconds(30)
    /// How long the rest of a request is read and discarded after the response.
    var linger: TimeAmount = .seconds(1)
    /// The maximum number of concurrent connections; beyond it, the oldest that has not sent a request yet is evicted.
    var connections = 256
    /// How long a browser waits for ``ReceivedCallback/conclude(_:)`` before it gets a page that leaves the result open.
    var conclusion: Duration = .seconds(60)
    /// How long the port still responds to the same callback after the conclusion.
    var grace: Duration = .seconds(1)
}
