import AuthHubApp

/// Why the app cannot start.
enum SetupProblem: Error {
    /// No service is set up in the folder of the settings.
    case noSettings(folder: String)
    /// The user has to solve a problem first.
    case problem(AppProblem)
}
