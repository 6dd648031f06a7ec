import AuthHubApp
import GTKWidgets

/// A field for the code on the provider's page, if there is no callback. The code may be a token: it is hidden, and not stored.
@MainActor
final class PasteField {
    let root: Widget
    let entry = SecretEntry(accessibleName: "The text from the page")
    private let button = Button("Continue").style("suggested-action")
    private let instruction = Label().wrapping().atStart()
    private let problem = Label().wrapping().atStart().style("error")
    private let take: @MainActor (String) -> Void

    init(take: @escaping @MainActor (String) -> Void) {
        self.take = take
        button.setSensitive(false)
        root = Box.vertical(
            spacing: 12, instruction, problem, Box.horizontal(spacing: 6, entry.expanding(horizontally: true), button))
        button.onClick { [weak self] in self?.hand() }
        entry.onActivate { [weak self] in self?.hand() }
        entry.onChange { [weak self] in self?.changed() }
    }

    func show(_ question: PasteQuestion?) {
        root.setVisible(question != nil)
        instruction.text = question?.instruction ?? ""
        problem.text = question?.problem ?? ""
        problem.setVisible(question?.problem != nil)
        if question == nil { entry.clear() }
    }

    private func changed() { button.setSensitive(!entry.text.isEmpty) }

    private func hand() {
        let text = entry.text
        guard !text.isEmpty else { return }
        entry.clear()
        take(text)
    }
}
