import HTTPLoading

/// The requests that a transport has received, and the tests that wait for the next one. Protected by the transport's lock.
struct RequestLog: Sendable {
    private(set) var requests: [LoadRequest] = []
    private var watchers = CountWatchers()

    /// Adds a request.
    ///
    /// - Returns: The latches to open.
    mutating func append(_ request: LoadRequest) -> [Latch<Void>] {
        requests.append(request)
        return watchers.reached(requests.count)
    }

    /// Returns the latch to wait for; nil if the count has already been reached.
    mutating func latch(for count: Int) -> Latch<Void>? {
        watchers.latch(for: count, reached: requests.count)
    }
}
