import AuthHubApp
import GTKWidgets

/// Says what went wrong, below the title, and offers what can be done about it.
@MainActor
final class ProblemBar {
    let root: Revealer
    private let text = Label().wrapping().atStart().style("heading")
    private let advice = Label().wrapping().atStart()
    private let button = Button("").centered(vertically: true)
    private let offersRemedy: Bool
    private var problem: AppProblem?

    /// - Parameter remedy: Does what the problem's remedy is. Without it there is no button.
    init(remedy: (@MainActor (AppProblem.Remedy) -> Void)? = nil) {
        let texts = Box.vertical(spacing: 2, text, advice).expanding(horizontally: true)
        root = Revealer(Box.alert(spacing: 12, texts, button).style("problem-bar"))
        root.setVisible(false)
        offersRemedy = remedy != nil
        button.onClick { [weak self] in
            if let problem = self?.problem { remedy?(problem.remedy) }
        }
    }

    func show(_ problem: AppProblem?) {
        if let problem, problem != self.problem {
            text.text = problem.text
            advice.text = problem.advice
            let label = problem.remedy.label
            button.set(label: label ?? "")
            button.setVisible(offersRemedy && label != nil)
        }
        self.problem = problem
        // Those who listen would find what is only slid away.
        root.setVisible(problem != nil)
        root.setRevealed(problem != nil)
    }
}

extension AppProblem.Remedy {
    /// What a button is called that does it.
    var label: String? {
        switch self {
        case .tryAgain: "Try Again"
        case .signIn: "Sign In Again"
        case .none: nil
        }
    }
}
