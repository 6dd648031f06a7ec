#if canImport(SwiftUI)
import AuthHubApp
import Foundation
import SwiftUI

/// The view that replaces the button while work is in progress.
struct SignInProgress: View {
    let model: SignInModel
    let activity: SignInModel.Activity

    var body: some View {
        VStack(spacing: 12) {
            HStack(spacing: 8) {
                ProgressView()
                    .controlSize(.small)
                    .accessibilityHidden(true)
                Text(verbatim: activity.text)
            }
            if let notice = model.notice {
                Text(verbatim: notice)
                    .foregroundStyle(.orange)
            }
            if let hint = model.hint {
                Text(verbatim: hint)
                    .font(.caption)
                    .foregroundStyle(.secondary)
            }
            if model.canOpenAgain {
                Button("Open Again") { Task { await model.openAgain() } }
            }
            if model.canCancel {
                if let question = model.question {
                    PasteView(question: question) { model.paste($0) }
                }
                Button("Cancel", role: .cancel) { model.cancel() }
                    .keyboardShortcut(.cancelAction)
            }
        }
    }
}
#endif
