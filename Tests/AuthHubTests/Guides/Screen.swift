import Synchronization

/// What a person sees: one text after another.
final class Screen: Sendable {
    private let shown = Mutex<[String]>([])

    var texts: [String] { shown.withLock { $0 } }

    func show(_ text: String) { shown.withLock { $0.append(text) } }

    /// Whether the person agrees to what they are asked; they do.
    func agrees(to question: String) -> Bool {
        show(question)
        return true
    }

    func untilShown(_ text: String, count: Int = 1) async {
        while texts.filter({ $0 == text }).count < count { await Task.yield() }
    }
}
