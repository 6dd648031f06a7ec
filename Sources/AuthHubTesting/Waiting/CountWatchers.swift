/// The tasks that wait for a count to be reached. The counting object protects this value with its lock and opens the latches outside the
/// lock.
package struct CountWatchers: Sendable {
    private struct Watcher: Sendable {
        let count: Int
        let latch: Latch<Void>
    }

    private var watchers: [Watcher] = []

    package init() {}

    /// Returns the latch to wait for; nil if the count has already been reached.
    package mutating func latch(for count: Int, reached: Int) -> Latch<Void>? {
        guard reached < count else { return nil }
        let watcher = Watcher(count: count, latch: Latch())
        watchers.append(watcher)
        return watcher.latch
    }

    /// Returns the latches to open.
    package mutating func reached(_ count: Int) -> [Latch<Void>] {
        defer { watchers.removeAll { $0.count <= count } }
        return watchers.filter { $0.count <= count }.map(\.latch)
    }
}
