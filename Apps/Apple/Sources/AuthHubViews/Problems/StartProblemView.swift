#if canImport(SwiftUI)
public import AuthHubApp
public import SwiftUI

/// The view that fills the window if the app cannot start.
public struct StartProblemView: View {
    private let problem: AppProblem
    private let tryAgain: () -> Void

    public init(_ problem: AppProblem, tryAgain: @escaping () -> Void) {
        (self.problem, self.tryAgain) = (problem, tryAgain)
    }

    public var body: some View {
        ContentUnavailableView {
            Label {
                Text(verbatim: problem.text)
            } icon: {
                Image(systemName: "exclamationmark.triangle")
            }
        } description: {
            Text(verbatim: problem.advice).textSelection(.enabled)
        } actions: {
            if problem.remedy == .tryAgain { Button("Try Again") { tryAgain() } }
        }
    }
}
#endif
