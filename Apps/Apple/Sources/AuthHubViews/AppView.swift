#if canImport(SwiftUI)
public import AuthHubApp
import Foundation
public import SwiftUI

/// The app's window: the sign-in, or the content for the signed-in user.
public struct AppView: View {
    private let model: AppModel

    public init(_ model: AppModel) {
        self.model = model
    }

    public var body: some View {
        NavigationStack {
            switch model.screen {
            case .signIn(let model): SignInView(model: model)
            // Another user's list has a new identity: it starts at the top, and loads its own first page.
            case .repositories(let list): RepositoriesView(model: list, signIn: model.signIn).id(ObjectIdentifier(list))
            case .viewer(let viewer): ViewerView(model: viewer, signIn: model.signIn)
            }
        }
        .task { await model.restore() }
        .onOpenURL { url in Task { await model.finishSignIn(with: url.absoluteString) } }
    }
}
#endif
