import AuthHub
import AuthHubPrimitives
import OAuthProtocol

/// What one sign-in requests from the sign-in page, in addition to the account's settings.
struct PageRequest: Sendable {
    var loginHint: String?
    var prompt: String?
    var maxAge: Int?
    var acrValues: [String] = []
    var parameters: [AddedParameter] = []

    static func promptValues(_ text: String) -> [Substring] { text.split { " ,".contains($0) } }

    /// The parameters of the authorization request.
    var signInOptions: SignInOptions {
        var added = FormParameters()
        for parameter in parameters { added.append(parameter.name, parameter.value) }
        return SignInOptions(
            loginHint: loginHint.flatMap { $0.isEmpty ? nil : $0 }, prompt: prompt.map { Self.promptValues($0).joined(separator: " ") },
            maximumAge: maxAge, acrValues: acrValues, parameters: added)
    }

    /// The names of the options that were typed.
    var typed: [String] {
        [
            ("--login-hint", loginHint != nil), ("--prompt", prompt != nil), ("--max-age", maxAge != nil), ("--acr", !acrValues.isEmpty),
            ("--param", !parameters.isEmpty),
        ].filter(\.1).map(\.0)
    }

    /// The options as they were typed, with a space before them; empty if none was.
    var suffix: String {
        var words: [String] = []
        if let loginHint { words += ["--login-hint", loginHint] }
        if let prompt { words += ["--prompt", prompt] }
        if let maxAge { words += ["--max-age", String(maxAge)] }
        for value in acrValues { words += ["--acr", value] }
        for parameter in parameters { words += ["--param", "\(parameter.name)=\(parameter.value)"] }
        return words.map { " " + $0.shellWord }.joined()
    }

    /// Returns the options to send, with the user of the previous sign-in as the hint, unless another hint or another user is requested.
    ///
    /// - Parameters:
    ///   - identity: The ID token of the user who is signed in to the account.
    ///   - profile: The provider, whose own hint is not replaced.
    func signInOptions(after identity: IDToken?, at profile: ProviderProfile) -> SignInOptions {
        var options = signInOptions
        let wantsAnother = options.prompt?.split(separator: " ").contains { $0 == "select_account" || $0 == "create" } ?? false
        let isGiven = loginHint != nil || [options.parameters, profile.authorizationParameters].contains { $0["login_hint"] != nil }
        if !wantsAnother, !isGiven { options.loginHint = identity?.loginHint }
        return options
    }
}

extension IDToken {
    /// The name with which the user signs in: `login_hint`, which Microsoft Entra ID issues for this purpose, the user name, or the e-mail
    /// address. The subject is not a name that users type, and most servers do not recognize it as a hint.
    var loginHint: String? {
        ["login_hint", "preferred_username", "email"].lazy.compactMap { self.claims[$0]?.string }.first { name in
            !name.isEmpty && name.utf8.count <= 1000 && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
    }
}
