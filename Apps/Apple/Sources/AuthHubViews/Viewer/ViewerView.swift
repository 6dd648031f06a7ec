#if canImport(SwiftUI)
import AuthHubApp
import Foundation
import SwiftUI

/// The view of the signed-in user.
struct ViewerView: View {
    let model: ViewerModel
    let signIn: SignInModel

    var body: some View {
        VStack(spacing: 16) {
            if let problem = model.problem {
                RemedyBanner(problem: problem) {
                    await model.tryAgain()
                } signInAgain: {
                    model.signInAgain()
                }
            }
            if let picture = model.picture { AvatarView(picture: picture, login: model.name) }
            Text(verbatim: model.name)
                .font(.largeTitle)
                .accessibilityAddTraits(.isHeader)
            if let page = model.page.flatMap({ URL(string: $0) }) {
                Link(destination: page) { Text(verbatim: model.pageText) }
            }
            AccountButtons(model: signIn)
            Button(model.signOutText, role: .destructive) { Task { await model.signOut() } }
            if let text = model.providerSignOutText {
                Button(text, role: .destructive) { Task { await model.signOut(atProvider: true) } }
            }
        }
        .padding()
        .navigationTitle(model.providerName)
    }
}
#endif
