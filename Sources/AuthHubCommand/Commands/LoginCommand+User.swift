import AuthHub

extension LoginCommand {
    /// Asks whether another user may replace that of the account, unless the command line says so.
    func userCheck(_ console: Console) -> UserCheck {
        let (label, replaces) = (account.label, replace)
        return UserCheck { old, new in
            guard !replaces else { return true }
            let question = "“\(label)” belongs to \(old.words), but \(new.words) signed in. Replace the tokens?"
            return (try? await Confirmation(console: console).asks(question)) ?? false
        }
    }

    /// - Parameters:
    ///   - isSpent: Whether the server has replaced the refresh token that the user gave.
    ///   - login: The command that signs in again.
    func failure(_ another: UserCheck.DifferentUser, isSpent: Bool, login: String) -> Failure {
        .differentUser(
            another, label: account.label, isSpent: isSpent, hint: "add --as NAME to keep both, or replace it: \(login) --replace")
    }
}
