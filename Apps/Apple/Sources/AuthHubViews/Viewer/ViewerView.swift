#if canImport(SwiftUI)
import AniListAPI
import AuthHubApp
import Foundation
import SwiftUI

/// Who is signed in.
struct ViewerView: View {
    let model: ViewerModel

    var body: some View {
        VStack(spacing: 16) {
            if let problem = model.problem {
                RemedyBanner(problem: problem) {
                    await model.tryAgain()
                } signInAgain: {
                    model.signInAgain()
                }
            }
            Text(verbatim: model.viewer.name)
                .font(.largeTitle)
                .accessibilityAddTraits(.isHeader)
            if let page {
                Link(destination: page) { Text(verbatim: "Page at \(model.providerName)") }
            }
            Button("Sign Out", role: .destructive) { Task { await model.signOut() } }
        }
        .padding()
        .navigationTitle(model.providerName)
    }

    /// A web page alone: the service's text could name anything that an app on this device opens.
    private var page: URL? {
        model.viewer.page.flatMap { URL(string: $0) }.flatMap { $0.scheme?.lowercased() == "https" ? $0 : nil }
    }
}
#endif
