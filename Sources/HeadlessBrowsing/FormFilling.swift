public import AuthHubPrimitives

/// The simulated user of a ``HeadlessBrowser``: determines which form to use, what to enter, and which button to press.
public struct FormFilling: Sendable {
    let user: String
    let password: Secret<String>
    let refuses: Bool

    /// Creates a simulated user.
    ///
    /// - Parameters:
    ///   - user: The user name to enter.
    ///   - password: The password to enter.
    ///   - refuses: Whether the user denies access when a page asks for it.
    public init(user: String, password: Secret<String>, refuses: Bool = false) {
        self.user = user
        self.password = password
        self.refuses = refuses
    }

    /// A form as it is submitted.
    struct Submission {
        let action: String?
        let isPost: Bool
        let parameters: FormParameters
        /// Whether the form contains the password.
        let signsIn: Bool
        /// Whether the form contains the code of a device.
        let entersCode: Bool
    }

    /// Fills in the form of a page.
    ///
    /// - Parameter code: The code that a device shows, for a page that asks for it.
    /// - Returns: nil if the page has no form that leads any further.
    func fill(_ page: HTMLPage, code: String? = nil) -> Submission? {
        let leadingOn = page.forms.filter { !Self.leadsElsewhere($0) }
        let candidates = leadingOn.isEmpty ? page.forms : leadingOn
        guard let form = candidates.min(by: { Self.rank($0) < Self.rank($1) }) else { return nil }
        var filled = form
        let entersCode = code.map { Self.enter($0, into: &filled) } ?? false
        let signsIn = !entersCode && write(into: &filled)
        let button = press(form, refusing: refuses && !form.hasPassword)
        var parameters = FormParameters(filled.fields.map { .init(name: $0.name, value: $0.value) })
        if let name = button?.name { parameters.append(name, button?.value ?? "") }
        return Submission(
            action: button?.action ?? form.action, isPost: form.isPost, parameters: parameters, signsIn: signsIn && form.hasPassword,
            entersCode: entersCode)
    }
}

extension FormFilling {
    /// Ranks sign-in forms before consent forms before all others.
    private static func rank(_ form: HTMLForm) -> Int {
        (form.hasPassword ? 0 : 4) + (form.isPost ? 0 : 2) + (form.buttons.isEmpty ? 1 : 0)
    }

    private static func leadsElsewhere(_ form: HTMLForm) -> Bool {
        let path = (form.action ?? "").prefix { $0 != "?" }.lowercased()
        return ["logout", "signout", "lang", "search", "theme"].contains { path.contains($0) } && !form.hasPassword
    }

    /// Enters the code of a device.
    ///
    /// - Returns: Whether the form asks for one.
    private static func enter(_ code: String, into form: inout HTMLForm) -> Bool {
        let index = form.fields.firstIndex { ["text", "tel"].contains($0.kind) && $0.name.lowercased().contains("code") }
        guard let index, !form.hasPassword else { return false }
        form.fields[index].value = code
        return true
    }

    /// Enters the user name and password.
    ///
    /// - Returns: Whether the form asks for them.
    private func write(into form: inout HTMLForm) -> Bool {
        for index in form.fields.indices where form.fields[index].kind == "password" { form.fields[index].value = password.reveal() }
        let texts = form.fields.indices.filter { ["text", "email", "username", "tel"].contains(form.fields[$0].kind) }
        let named = texts.first { index in
            ["user", "login", "email", "sub", "name"].contains { form.fields[index].name.lowercased().contains($0) }
        }
        let index = named ?? (form.hasPassword ? texts.first : nil)
        if let index, form.hasPassword || form.fields[index].value.isEmpty { form.fields[index].value = user }
        return form.hasPassword || index != nil
    }

    private func press(_ form: HTMLForm, refusing: Bool) -> HTMLForm.Button? {
        let refusals = form.buttons.filter(Self.isRefusal)
        if refusing, let refusal = refusals.first { return refusal }
        let others = form.buttons.filter { !Self.isRefusal($0) }
        return others.first(where: Self.isConsent) ?? others.first
    }

    private static let yes = [
        "allow", "accept", "authorize", "authorise", "approve", "yes", "confirm", "grant", "agree", "consent", "continue", "submit",
        "sign in", "log in", "login", "signin", "next", "true", "ok",
    ]
    private static let no = [
        "deny", "denied", "cancel", "reject", "refuse", "decline", "disallow", "log out", "logout", "sign out", "switch", "forgot", "back",
    ]

    private static func isRefusal(_ button: HTMLForm.Button) -> Bool {
        let words = [button.label, button.value, button.name ?? ""].map { $0.lowercased() }
        return words.contains { word in no.contains { word.contains($0) } || word == "no" || word == "false" }
    }

    private static func isConsent(_ button: HTMLForm.Button) -> Bool {
        let words = [button.label, button.value, button.name ?? ""].joined(separator: " ").lowercased()
        return yes.contains { words.contains($0) }
    }
}
