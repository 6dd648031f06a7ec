#if canImport(SwiftUI)
import AuthHub
import AuthHubApp
import CredentialStorage
import Foundation
import OAuthProtocol
import SystemCredentialStorage
import URLSessionTransport

/// The start of the app: its model, or the reason why there is none.
@MainActor
enum Start {
    case ready(AppModel)
    case failed(AppProblem)

    /// Creates the start.
    ///
    /// - Parameter folder: The folder of the settings files.
    init(settings folder: String, store: any CredentialStore, browsers: Browsers, dependencies: Dependencies) {
        do throws(SettingsError) {
            let providers = try AppProvider.all(inFolder: folder)
            if let first = providers.first {
                self = .ready(
                    AppModel(first, Array(providers.dropFirst()), store: store, browsers: browsers, dependencies: dependencies))
            } else {
                self = .failed(
                    AppProblem(
                        "No service is set up.", advice: "There is no settings file in \(folder). The README explains how to create one.",
                        remedy: .none))
            }
        } catch {
            self = .failed(AppProblem(error))
        }
    }

    /// Keychain, system browser and URLSession.
    static var live: Self {
        Self(
            settings: SettingsFolder.path(environment: ProcessInfo.processInfo.environment, resources: Bundle.main.resourcePath),
            store: store(of: Bundle.main.bundleIdentifier), browsers: .ofApple, dependencies: Dependencies(transport: SystemTransport()))
    }

    /// Returns the store. A program without a bundle, such as Xcode's build of the package, has no access to the keychain: its tokens last
    /// as long as it runs.
    static func store(of bundle: String?) -> any CredentialStore {
        if let bundle { KeychainCredentialStore(service: bundle) } else { MemoryCredentialStore() }
    }
}
#endif
