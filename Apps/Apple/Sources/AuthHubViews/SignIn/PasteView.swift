#if canImport(SwiftUI)
import AuthHubApp
import Foundation
import SwiftUI

/// A field for the code on the provider's page. It is like a password: the system shows dots, and does not learn from it.
struct PasteView: View {
    let question: PasteQuestion
    let paste: (String) -> Void
    @State private var text = ""

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            Text(verbatim: question.instruction)
            if let problem = question.problem {
                Text(verbatim: problem)
                    .foregroundStyle(.red)
            }
            HStack {
                SecureField("The text from the page", text: $text)
                    .textFieldStyle(.roundedBorder)
                    .onSubmit { handOver() }
                Button("Continue") { handOver() }
                    .disabled(text.isEmpty)
            }
        }
    }

    private func handOver() {
        let pasted = text
        text = ""
        paste(pasted)
    }
}
#endif
