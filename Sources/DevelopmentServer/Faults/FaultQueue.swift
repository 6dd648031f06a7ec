/// The faults that were ordered and have not happened yet, and the requests that are being held.
struct FaultQueue: Sendable {
    enum Place: Hashable, Sendable {
        case tokenEndpoint, api
    }

    private var ordered: [Place: [Fault]] = [:]
    private var held: [AsyncStream<Never>.Continuation] = []
}

extension FaultQueue {
    mutating func order(_ faults: [Fault], at place: Place) {
        ordered[place, default: []] += faults
    }

    mutating func takeNext(at place: Place) -> Fault? {
        guard let next = ordered[place]?.first else { return nil }
        ordered[place]?.removeFirst()
        return next
    }

    mutating func removeAll() {
        ordered = [:]
    }

    /// A sequence without elements that ends when the request may go on.
    mutating func hold() -> AsyncStream<Never> {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        held.append(continuation)
        return stream
    }

    mutating func release() -> [AsyncStream<Never>.Continuation] {
        defer { held = [] }
        return held
    }
}
