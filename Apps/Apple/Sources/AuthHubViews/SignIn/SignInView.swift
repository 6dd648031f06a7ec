#if canImport(SwiftUI)
import AuthHubApp
import Foundation
import SwiftUI

/// The first screen: the provider, the reason to sign in, and the progress.
struct SignInView: View {
    @Bindable var model: SignInModel

    var body: some View {
        ScrollView {
            VStack(spacing: 20) {
                if let problem = model.problem {
                    ProblemBanner(problem) { EmptyView() }
                }
                heading
                choices.disabled(model.activity != nil)
                if let activity = model.activity {
                    SignInProgress(model: model, activity: activity)
                } else {
                    buttons
                }
            }
            .frame(maxWidth: 440)
            .padding()
            .frame(maxWidth: .infinity)
        }
        .navigationTitle("AuthHub")
    }

    private var heading: some View {
        VStack(spacing: 8) {
            Image(systemName: "person.crop.circle")
                .font(.system(size: 56))
                .foregroundStyle(.tint)
                .accessibilityHidden(true)
            Text(verbatim: "Sign in to \(model.providerName)")
                .font(.largeTitle)
                .accessibilityAddTraits(.isHeader)
            Text(verbatim: model.reason)
                .foregroundStyle(.secondary)
        }
        .multilineTextAlignment(.center)
    }

    private var choices: some View {
        VStack(alignment: .leading, spacing: 12) {
            if model.providers.count > 1 {
                Picker("Service", selection: $model.choice) {
                    ForEach(model.providers) { provider in
                        Text(verbatim: provider.name).tag(provider.id)
                    }
                }
            }
            if model.offersEphemeralBrowser {
                Toggle(isOn: $model.usesEphemeralBrowser) {
                    VStack(alignment: .leading) {
                        Text("Private window")
                        Text(verbatim: SignInModel.ephemeralBrowserText)
                            .font(.caption)
                            .foregroundStyle(.secondary)
                    }
                }
                .toggleStyle(.switch)
                .accessibilityLabel("Private window")
                .accessibilityHint(Text(verbatim: SignInModel.ephemeralBrowserText))
            }
        }
    }

    /// The buttons. If a problem has a remedy, its button is the first.
    private var buttons: some View {
        HStack {
            if model.canTryAgain {
                Button("Try Again") { Task { await model.tryAgain() } }
                    .buttonStyle(.borderedProminent)
                    .keyboardShortcut(.defaultAction)
            }
            if model.canSignIn {
                Button(model.isSignedIn ? "Sign In Again" : "Sign In") { model.signIn() }
                    .buttonStyle(.borderedProminent)
                    .keyboardShortcut(model.canTryAgain ? nil : .defaultAction)
            }
            if model.canSignOut {
                Button("Sign Out", role: .destructive) { Task { await model.signOut() } }
            }
        }
        .controlSize(.large)
    }
}
#endif
