import NIOCore

/// How much time and room a stranger gets at the loopback port.
struct LoopbackLimits: Sendable {
    /// From the connection to the end of the request's head: long enough for a machine that is busy starting a browser.
    var request: TimeAmount = .seconds(30)
    /// How long the rest of a request is read and thrown away after its answer.
    var linger: TimeAmount = .seconds(1)
    /// Connections at a time; beyond it the oldest that has not sent a request yet gives way.
    var connections = 256
    /// How long a browser waits for ``ReceivedCallback/conclude(_:)`` before it gets a page that leaves the outcome open.
    var conclusion: Duration = .seconds(60)
    /// How long the port answers the same callback again after the conclusion.
    var grace: Duration = .seconds(1)
}
