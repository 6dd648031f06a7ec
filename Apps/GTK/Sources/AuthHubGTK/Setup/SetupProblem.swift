import AuthHubApp

/// Why the app cannot begin, and what the person can do about it.
struct SetupProblem: Error {
    let problem: AppProblem
    /// To be copied.
    var example: String?

    static func noSettings(in folder: String) -> Self {
        Self(
            problem: AppProblem(
                "No service is set up.",
                advice: "Register an app at the service, write a file such as this one into \(folder), and its secret into a file "
                    + "beside it. Then try again.",
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
