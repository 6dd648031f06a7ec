import Observation
import SwiftUI

extension Node {
    func has(text: String) -> Bool {
        all.contains { $0.kind == .text && $0.text == text }
    }

    /// The control with this accessibility label.
    func named(_ name: String, _ kind: Kind = .button) -> Node? {
        all.first { $0.kind == kind && $0.name == name }
    }

    var buttons: [String] { all.filter { $0.kind == .button }.map(\.name) }
    var texts: [String] { all.filter { $0.kind == .text }.map(\.text) }
    var titles: [String] { all.compactMap(\.title) }

    /// Runs the actions of all elements, as if everything in the tree appeared on the screen.
    @MainActor
    func comeIntoSight() async {
        for node in all {
            node.appear.forEach { $0() }
            for task in node.tasks { await task() }
        }
    }
}

extension Stage {
    /// Waits until the screen meets the condition, and returns it.
    @discardableResult
    func until(_ holds: (Node) -> Bool) async -> Node {
        while true {
            let changes = AsyncStream<Void>.makeStream()
            let tree = withObservationTracking {
                self.tree
            } onChange: {
                changes.continuation.yield()
            }
            if holds(tree) || Task.isCancelled { return tree }
            for await _ in changes.stream { break }
        }
    }

    @discardableResult
    func until(text: String) async -> Node {
        await until { $0.has(text: text) }
    }

    func press(_ name: String, _ kind: Node.Kind = .button) {
        let node = tree.named(name, kind)
        if node?.isDisabled != true { node?.press?() }
    }
}
