import AuthHubApp

/// The reason why the app cannot start, and what the user can do about it.
struct SetupProblem: Error {
    let problem: AppProblem
    /// An example to copy.
    var example: String?

    static func noSettings(in folder: String) -> Self {
        Self(
            problem: AppProblem(
                "No service is set up.",
                advice: "Register an app at GitHub with http://127.0.0.1/callback as its callback URL. Write this text, with the app's "
                    + "client ID, to github.json in \(folder), and write the client secret to github.secret in the same folder. Then try again.",
                remedy: .tryAgain),
            example: """
                {
                  "provider": "github",
                  "client_id": "…",
                  "client_secret_file": "github.secret"
                }
                """)
    }
}
