/// Those who wait for a count to be reached. Part of what counts, and kept under its lock: latches are opened outside.
package struct CountWatchers: Sendable {
    private struct Watcher: Sendable {
        let count: Int
        let latch: Latch<Void>
    }

    private var watchers: [Watcher] = []

    package init() {}

    /// What to wait for; nil where the count is reached already.
    package mutating func latch(for count: Int, reached: Int) -> Latch<Void>? {
        guard reached < count else { return nil }
        let watcher = Watcher(count: count, latch: Latch())
        watchers.append(watcher)
        return watcher.latch
    }

    /// The latches to open.
    package mutating func reached(_ count: Int) -> [Latch<Void>] {
        defer { watchers.removeAll { $0.count <= count } }
        return watchers.filter { $0.count <= count }.map(\.latch)
    }
}
