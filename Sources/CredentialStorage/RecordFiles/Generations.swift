import Synchronization

/// The highest generation of each record that a handle has seen. Each write and each deletion of a record increments its generation.
final class Generations: Sendable {
    /// The highest valid generation. Only damage or malice could produce a higher one, and it could not be incremented.
    static let highest = UInt64(Int64.max) - 2

    private struct Seen {
        var lineage: Int
        var generation: UInt64
    }

    private let seen = Mutex<[RecordName: Seen]>([:])
}

extension Generations {
    func highest(of name: RecordName, lineage: Int) -> UInt64 {
        seen.withLock { seen in
            guard let entry = seen[name], entry.lineage == lineage else { return 0 }
            return entry.generation
        }
    }

    func raise(_ name: RecordName, to generation: UInt64, lineage: Int) {
        seen.withLock { seen in
            if let entry = seen[name], entry.lineage == lineage, entry.generation >= generation { return }
            seen[name] = Seen(lineage: lineage, generation: generation)
        }
    }
}

extension UInt64 {
    /// Eight bytes, the most significant first.
    var bytes: [UInt8] { (0..<8).reversed().map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } }

    init(bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
