import HTTPLoading
import Synchronization

/// The chains of the app that are reset with a sign-out, for as long as the app holds them.
final class AttachedChains: Sendable {
    private struct Entry {
        weak var chain: Chain?
    }

    private let entries = Mutex<[Entry]>([])

    func add(_ chain: Chain) {
        entries.withLock { entries in
            entries.removeAll { $0.chain == nil || $0.chain === chain }
            entries.append(Entry(chain: chain))
        }
    }

    var all: [Chain] { entries.withLock { $0.compactMap(\.chain) } }
}
