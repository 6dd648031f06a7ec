public import CredentialStorage
public import OAuthProtocol

extension AppProblem {
    /// Why the app cannot begin: the file, the field, and what is wrong there.
    public init(_ error: SettingsError) {
        self.init("The app's settings cannot be used.", advice: "\(error). Correct the file, then try again.", remedy: .tryAgain)
    }

    /// Why the app cannot begin: there is no store that works.
    public init(_ error: CredentialStoreError) {
        self.init("There is no place to save your sign-in.", advice: sentence(error.explanation), remedy: .tryAgain)
    }
}
