import Synchronization

/// The requested faults that have not happened yet, the permanent faults, and the held requests.
struct FaultQueue: Sendable {
    private var ordered: [Faults.Place: [Fault]] = [:]
    private var standing: [Faults.Place: Fault] = [:]
    private var held: [AsyncStream<Never>.Continuation] = []
}

extension FaultQueue {
    mutating func order(_ faults: [Fault], at place: Faults.Place) {
        ordered[place, default: []] += faults
    }

    mutating func set(_ fault: Fault, at place: Faults.Place) {
        standing[place] = fault
    }

    /// Returns the fault for the next request; if it must be held, with an empty sequence that ends when the request may continue.
    ///
    /// - Parameter places: The places of the request, the most specific first.
    mutating func takeNext(at places: [Faults.Place]) -> (fault: Fault, held: AsyncStream<Never>?)? {
        guard let next = takeOrdered(at: places) ?? places.lazy.compactMap({ [standing] in standing[$0] }).first else { return nil }
        guard next == .hold else { return (next, nil) }
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        held.append(continuation)
        return (next, stream)
    }

    private mutating func takeOrdered(at places: [Faults.Place]) -> Fault? {
        for place in places {
            guard let next = ordered[place]?.first else { continue }
            ordered[place]?.removeFirst()
            return next
        }
        return nil
    }

    mutating func removeAll() {
        ordered = [:]
        standing = [:]
    }

    /// Releases all held requests, including requests that are already in the log but have not arrived here yet.
    mutating func release() -> [AsyncStream<Never>.Continuation] {
        for (place, faults) in ordered {
            ordered[place] = faults.map { $0 == .hold ? .delay(.zero) : $0 }
        }
        standing = standing.filter { $0.value != .hold }
        defer { held = [] }
        return held
    }
}

/// The queue of faults, which all requests to one server share.
final class FaultOrders: Sendable {
    let queue = Mutex(FaultQueue())
    /// The quirks before a persona changed them.
    let quirks = Mutex<Persona.OpenIDQuirks?>(nil)
}
