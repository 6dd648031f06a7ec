#if canImport(SwiftUI)
import AuthHubApp
import Foundation
import SwiftUI

/// A banner with a problem, and what to do about it.
struct ProblemBanner<Remedy: View>: View {
    private let problem: AppProblem
    private let remedy: Remedy

    /// Creates a banner.
    ///
    /// - Parameter remedy: The button with the remedy, if the screen has no other.
    init(_ problem: AppProblem, @ViewBuilder remedy: () -> Remedy) {
        self.problem = problem
        self.remedy = remedy()
    }

    var body: some View {
        HStack(alignment: .firstTextBaseline, spacing: 12) {
            Image(systemName: "exclamationmark.triangle.fill")
                .foregroundStyle(.orange)
                .accessibilityHidden(true)
            VStack(alignment: .leading, spacing: 4) {
                Text(verbatim: problem.text).font(.headline)
                Text(verbatim: problem.advice)
                remedy
            }
            Spacer(minLength: 0)
        }
        .padding()
        .background(Color.orange.opacity(0.15), in: RoundedRectangle(cornerRadius: 10))
    }
}

/// A banner with the button that is the problem's remedy.
struct RemedyBanner: View {
    let problem: AppProblem
    let tryAgain: () async -> Void
    let signInAgain: () -> Void

    var body: some View {
        ProblemBanner(problem) {
            switch problem.remedy {
            case .tryAgain: Button("Try Again") { Task { await tryAgain() } }
            case .signIn: Button("Sign In Again") { signInAgain() }
            case .none: EmptyView()
            }
        }
    }
}
#endif
