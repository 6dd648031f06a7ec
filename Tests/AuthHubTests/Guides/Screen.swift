import Synchronization

/// The screen that a user sees: a sequence of texts.
final class Screen: Sendable {
    private let shown = Mutex<[String]>([])

    var texts: [String] { shown.withLock { $0 } }

    func show(_ text: String) { shown.withLock { $0.append(text) } }

    /// Returns whether the user agrees to the question; this user always does.
    func agrees(to question: String) -> Bool {
        show(question)
        return true
    }

    func untilShown(_ text: String, count: Int = 1) async {
        while texts.filter({ $0 == text }).count < count { await Task.yield() }
    }
}
