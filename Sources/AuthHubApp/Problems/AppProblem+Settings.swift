public import OAuthProtocol

extension AppProblem {
    /// Why the app cannot begin: the file, the field, and what is wrong there.
    public init(_ error: SettingsError) {
        self.init("The app's settings cannot be used.", advice: "\(error). Mend the file, then start the app again.", remedy: .none)
    }
}
