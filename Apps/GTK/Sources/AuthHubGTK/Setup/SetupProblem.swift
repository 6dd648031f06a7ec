import CredentialStorage
import OAuthProtocol

/// Why the app cannot begin, and what the person can do about it.
struct SetupProblem: Error {
    let title: String
    let advice: String
    /// To be copied.
    var example: String?

    init(_ title: String, advice: String, example: String? = nil) {
        self.title = title
        self.advice = advice
        self.example = example
    }
}

extension SetupProblem {
    init(_ error: SettingsError) {
        self.init("The settings cannot be used", advice: "\(error). Mend the file, then try again.")
    }

    init(_ error: CredentialStoreError) {
        self.init("There is nowhere to keep the tokens", advice: error.explanation)
    }

    static func noSettings(in folder: String) -> Self {
        Self(
            "No service is set up",
            advice: "Register an app at the service, write a file such as this one into \(folder), and its secret into a file beside it. "
                + "Then try again.",
            example: """
                {
                  "provider": "github",
                  "client_id": "…",
                  "client_secret_file": "github.secret"
                }
                """)
    }
}
