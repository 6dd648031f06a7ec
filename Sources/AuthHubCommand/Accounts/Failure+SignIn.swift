import AuthHub

extension Failure {
    /// Returns the command that signs in if nothing is known about the account.
    ///
    /// - Parameter account: The option that names the account, with a space before it; empty for the default account.
    static func signInSomewhere(account: String = "") -> String {
        "authhub login PROVIDER --client-id ID\(account) (PROVIDER: a name from authhub provider list, or an issuer's https URL)"
    }

    /// Creates the error that no one is signed in under the label. It suggests other accounts, in case only the label is wrong.
    static func signInNeeded(_ account: AccountOptions, in book: AccountBook) async -> Self {
        let others = (try? await book.list().labels) ?? []
        let rule = AccountChoice.made?.rule
        let advice =
            switch others {
            case []: ""
            case [AccountOptions.defaultLabel] where rule == .option: "leave out --as; or "
            case _ where others.count == 1: "add\(AccountOptions.suffix(others[0], isExplicit: true)); or "
            case _ where others.count <= 5: "add --as NAME: \(others.joined(separator: ", ")); or "
            default: "add --as NAME with a name from authhub accounts list; or "
            }
        let hint = advice + signInSomewhere(account: account.suffix)
        return notSignedIn(as: account.label, rule?.words.map { ", the account of \($0)" } ?? "", hint: hint)
    }

    /// Creates the error for a sign-in by a user other than that of the account.
    ///
    /// - Parameter isSpent: Whether the server has replaced the refresh token that the user gave.
    static func differentUser(_ users: UserCheck.DifferentUser, label: String, isSpent: Bool = false, hint: String) -> Self {
        let loss = isSpent ? "; the server has replaced the refresh token that you gave, which no longer works" : ""
        return Self(
            "different_user", .failed,
            "“\(label)” belongs to \(users.old.words), but \(users.new.words) signed in; the old tokens were kept, and the new ones were not stored\(loss)",
            hint: hint)
    }
}

extension SessionError {
    /// Whether the server may have rejected the request because it names the API (RFC 8707): Microsoft Entra ID does so in its own words.
    var rejectsResourceParameter: Bool {
        guard let serverError else { return false }
        if serverError.code == .invalidTarget { return true }
        let explanation = serverError.explanation?.lowercased() ?? ""
        let isAboutRequest = [.invalidRequest, .invalidScope, .invalidGrant].contains(serverError.code)
        // Other codes of Microsoft begin with the same digits, such as AADSTS90102 for a redirect URI.
        return explanation.contains("aadsts901002") || explanation.contains("aadsts9010010")
            || isAboutRequest && explanation.contains("resource")
    }
}

extension AccountSettings {
    /// The option for http on this machine, with a space before it, if the account needs it.
    var loopbackSuffix: String { transport.suffix }

    /// What to do if the server no longer knows the client; nil if the user has chosen the client.
    ///
    /// - Parameter login: The command that signs in again.
    func lostRegistration(login: String) -> String? {
        guard hasRegisteredClient, let key = registrationKeys.first else { return nil }
        let again = resource == nil ? "authhub client register \(provider.name.shellWord)\(loopbackSuffix) and " : ""
        return "if the server has lost the registration: authhub client delete \(key.words) --local\(loopbackSuffix), then \(again)\(login)"
    }
}
