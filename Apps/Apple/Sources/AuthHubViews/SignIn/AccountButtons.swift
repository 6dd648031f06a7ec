#if canImport(SwiftUI)
import AuthHubApp
import SwiftUI

/// The buttons that switch to the accounts of other services.
struct AccountButtons: View {
    let model: SignInModel

    var body: some View {
        ForEach(model.others) { provider in
            Button {
                model.choice = provider.id
            } label: {
                Text(verbatim: "Switch to \(provider.name)")
            }
        }
    }
}
#endif
