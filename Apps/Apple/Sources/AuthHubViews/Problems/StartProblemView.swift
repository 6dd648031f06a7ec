#if canImport(SwiftUI)
public import AuthHubApp
public import SwiftUI

/// The whole window, where the app cannot begin.
public struct StartProblemView: View {
    private let problem: AppProblem

    public init(_ problem: AppProblem) {
        self.problem = problem
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
        }
    }
}
#endif
