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

    /// The fault that the next request meets; where it is to be held, with a sequence without elements that ends when it may go on.
    mutating func takeNext(at place: Place) -> (fault: Fault, held: AsyncStream<Never>?)? {
        guard let next = ordered[place]?.first else { return nil }
        ordered[place]?.removeFirst()
        guard next == .hold else { return (next, nil) }
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        held.append(continuation)
        return (next, stream)
    }

    mutating func removeAll() {
        ordered = [:]
    }

    /// Ends all holding, that of requests on their way included: those have been seen in the log, but have not come here yet.
    mutating func release() -> [AsyncStream<Never>.Continuation] {
        for (place, faults) in ordered {
            ordered[place] = faults.map { $0 == .hold ? .delay(.zero) : $0 }
        }
        defer { held = [] }
        return held
    }
}
