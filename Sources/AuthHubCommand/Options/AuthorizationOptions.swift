import ArgumentParser
import AuthHub
import AuthHubPrimitives
import OAuthProtocol

/// The options for the sign-in page: what one sign-in requests in addition to the account's settings.
struct AuthorizationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The user name or e-mail address to fill in on the page, or "" for none (default: that of the user who is signed in to the \
            account, if the ID token has it; none with --prompt select_account).
            """,
            valueName: "name"))
    var loginHint: String?

    @Option(
        help: ArgumentHelp(
            """
            What the server should ask: login (sign in again), consent, select_account (use another account), or several, separated by \
            commas; none fails instead of asking.
            """,
            valueName: "values"))
    var prompt: String?

    @Option(help: ArgumentHelp("The maximum time since the user last signed in at the server; 0 to sign in again.", valueName: "seconds"))
    var maxAge: Int?

    @Option(
        name: .customLong("acr"),
        help: ArgumentHelp(
            "An authentication context class that the sign-in must meet; repeat the option for alternatives, the preferred one first.",
            valueName: "value"))
    var acrValues: [String] = []

    @Option(
        name: .customLong("param"),
        help: ArgumentHelp("An additional parameter of the authorization request; may be repeated.", valueName: "name=value"))
    var parameters: [AddedParameter] = []

    func validate() throws {
        if let prompt, PageRequest.promptValues(prompt).isEmpty { throw ValidationError("--prompt does not contain a value.") }
        do throws(OAuthError) {
            try request.signInOptions.check()
        } catch {
            throw ValidationError("\(error.explanation.prefix(1).uppercased())\(error.explanation.dropFirst()).")
        }
    }

    var request: PageRequest {
        PageRequest(loginHint: loginHint, prompt: prompt, maxAge: maxAge, acrValues: acrValues, parameters: parameters)
    }
}

/// A parameter as it is typed: `NAME=VALUE`.
struct AddedParameter: ExpressibleByArgument, Sendable {
    let name: String
    let value: String

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
        name = String(argument[..<equals])
        value = String(argument[argument.index(after: equals)...])
    }
}
