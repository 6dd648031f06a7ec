import AuthHubApp
import GTKWidgets

/// A bar below the title with a problem, and a button to solve it.
@MainActor
final class ProblemBar {
    let root: Revealer
    private let text = Label().wrapping().atStart().style("heading")
    private let advice = Label().wrapping().atStart()
    private let button = Button("").centered(vertically: true)
    private let tryAgain: (@MainActor () async -> Void)?
    private let signInAgain: (@MainActor () -> Void)?
    private var problem: AppProblem?

    /// Creates a bar. The button performs the problem's remedy; there is no button if the remedy's closure is nil.
    init(tryAgain: (@MainActor () async -> Void)? = nil, signInAgain: (@MainActor () -> Void)? = nil) {
        (self.tryAgain, self.signInAgain) = (tryAgain, signInAgain)
        let texts = Box.vertical(spacing: 2, text, advice).expanding(horizontally: true)
        root = Revealer(Box.alert(spacing: 12, texts, button).style("problem-bar"))
        root.setVisible(false)
        button.onClick { [weak self] in self?.mend() }
    }

    func show(_ problem: AppProblem?) {
        if let problem, problem != self.problem {
            text.text = problem.text
            advice.text = problem.advice
            let label = label(of: problem.remedy)
            button.set(label: label ?? "")
            button.setVisible(label != nil)
        }
        self.problem = problem
        // Assistive technologies would find a bar that is only slid out of view.
        root.setVisible(problem != nil)
        root.setRevealed(problem != nil)
    }

    private func label(of remedy: AppProblem.Remedy) -> String? {
        switch remedy {
        case .tryAgain: tryAgain == nil ? nil : "Try Again"
        case .signIn: signInAgain == nil ? nil : "Sign In Again"
        case .none: nil
        }
    }

    private func mend() {
        guard let problem else { return }
        switch problem.remedy {
        case .tryAgain: Task { await tryAgain?() }
        case .signIn: signInAgain?()
        case .none: break
        }
    }
}
