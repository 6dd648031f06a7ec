public import CredentialStorage
public import OAuthProtocol

extension AppProblem {
    /// Creates the problem to show if the app cannot start because of its settings. The text names the file, the field, and what is wrong
    /// with the field.
    public init(_ error: SettingsError) {
        self.init("The app's settings cannot be used.", advice: "\(error). Correct the file, then try again.", remedy: .tryAgain)
    }

    /// Creates the problem to show if the app cannot start because no store is available.
    public init(_ error: CredentialStoreError) {
        self.init("There is no place to save your sign-in.", advice: sentence(error.explanation), remedy: .tryAgain)
    }
}
