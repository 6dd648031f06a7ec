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

    /// - Parameter login: The command that signs in again.
    func failure(_ another: UserCheck.DifferentUser, login: String) -> Failure {
        .differentUser(another, label: account.label, hint: "add --as NAME to keep both, or replace it: \(login) --replace")
    }
}
