import HTTPLoading

/// The requests that came to a transport, and the tests that wait for the next one. Kept under the transport's lock.
struct RequestLog: Sendable {
    private(set) var requests: [LoadRequest] = []
    private var watchers = CountWatchers()

    /// - Returns: The latches to open.
    mutating func append(_ request: LoadRequest) -> [Latch<Void>] {
        requests.append(request)
        return watchers.reached(requests.count)
    }

    /// What to wait for; nil where so many have come already.
    mutating func latch(for count: Int) -> Latch<Void>? {
        watchers.latch(for: count, reached: requests.count)
    }
}
