import AuthHub
import AuthHubApp
import CredentialStorage
import GTKWidgets
import OAuthProtocol

/// The setup that creates the app's model from the user's settings.
@MainActor
enum Setup {
    /// The default folder of the settings.
    static var settingsFolder: String { "\(Places.configuration)/authhub/app" }

    static func model(settings: [String], store: StoreChoice) throws(SetupProblem) -> AppModel {
        let providers = try providers(settings)
        guard let first = providers.first else { throw .noSettings(folder: settingsFolder) }
        do throws(CredentialStoreError) {
            return try AppModel(
                first, Array(providers.dropFirst()), store: store.store(), browsers: .system, dependencies: .network)
        } catch {
            throw .problem(AppProblem(error))
        }
    }

    private static func providers(_ settings: [String]) throws(SetupProblem) -> [AppProvider] {
        do throws(SettingsError) {
            return try settings.isEmpty ? AppProvider.all(inFolder: settingsFolder) : AppProvider.all(settingsFiles: settings)
        } catch {
            throw .problem(AppProblem(error))
        }
    }
}
