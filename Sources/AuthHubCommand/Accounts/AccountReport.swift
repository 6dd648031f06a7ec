import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Platform

/// The local information about an account, without any requests.
struct AccountReport: Sendable {
    let label: String
    /// The settings; nil if the label was never used for a sign-in.
    let settings: AccountSettings?
    let signedIn: SessionState.SignedIn?
    /// The verified ID token; nil if there is none.
    let identity: IDToken?
    /// The user whom the tokens belong to; nil if it is not known.
    let user: SignedInUser?
    /// Whether a sign-out of the account has not revoked its tokens yet.
    let isSignOutUnfinished: Bool
    let store: String
    /// The command that signs in.
    let login: String
    /// The rule that chose the account.
    var rule = AccountChoice.made?.rule
}

extension AccountReport {
    static func read(_ options: AccountOptions) async throws(Failure) -> Self {
        try await read(options, in: try ToolStore.open(options.storage))
    }

    static func read(_ options: AccountOptions, in store: any CredentialInventory) async throws(Failure) -> Self {
        let place = try ToolStore.place(options.storage)
        let book = AccountBook(store: store)
        guard let settings = try await Failure.translating({ try await book.settings(of: options.label) }) else {
            return Self(
                label: options.label, settings: nil, signedIn: nil, identity: nil, user: nil, isSignOutUnfinished: false, store: place,
                login: await Failure.signInNeeded(options, in: book).hint)
        }
        let login = "authhub login" + options.suffix
        let name = try Failure.translating { try settings.account(label: options.label) }
        let accounts = OAuthAccounts(store: store)
        let account = await accounts.account(name)
        let isUnfinished = account == nil ? await accounts.hasUnfinishedSignOut(name) : false
        if case .unreadable(let error)? = account?.content { throw Failure(error, login: login) }
        return Self(
            label: options.label, settings: settings, signedIn: account?.signedIn, identity: account?.identity,
            user: account?.user, isSignOutUnfinished: isUnfinished, store: place, login: login)
    }

    /// Whether the next access token needs no user.
    private var isRenewable: Bool { signedIn?.isRenewable ?? false || settings?.signsInWithoutPage ?? false }

    var json: JSONValue {
        var object = JSONObject()
        object["account"] = .string(label)
        object["chosen_by"] = (rule?.name).map(JSONValue.string)
        object["signed_in"] = .bool(signedIn != nil)
        if let settings {
            object["provider"] = .string(settings.provider.name)
            object["server"] = .string(settings.server)
            object["name"] = settings.name.map(JSONValue.string)
            object["client_id"] = .string(settings.client.id)
            object["resource"] = (settings.resource?.text).map(JSONValue.string)
        }
        if let signedIn {
            object["scope"] = .array(signedIn.scope.names.map { .string($0) })
            object["expires_at"] = signedIn.expiresAt.map { .string($0.formatted(.iso8601)) } ?? .null
            object["renewable"] = .bool(isRenewable)
        }
        object["identity"] = identity?.summary ?? .null
        object["user"] = user?.json ?? .null
        object["store"] = .string(store)
        return .object(object)
    }

    /// The user, in words; nil if it is not known.
    var userWords: String? {
        guard let identity else { return user?.words }
        // The UserInfo endpoint may have returned a name that the ID token does not have.
        guard identity.claims["name"] == nil, identity.displayName == displayable(identity.subject, limit: 200), let name = user?.name,
            !name.isEmpty
        else {
            return identity.words
        }
        return "\(escaped(name, limit: 255)) (\(identity.words))"
    }

    func text(_ style: Style, now: Date) -> String {
        var lines: [(String, String)] = [("account", style(label, .bold))]
        if let reason = rule?.words { lines.append(("chosen by", reason)) }
        if let settings {
            lines += [("provider", settings.displayName), ("client", settings.client.id)]
        }
        if let signedIn {
            lines.append(("signed in", style("yes", .green)))
            if let userWords { lines.append(("user", userWords)) }
            lines.append(("scope", signedIn.scope.isEmpty ? "none" : signedIn.scope.names.joined(separator: ", ")))
            let missing = settings?.scope.map { signedIn.scope.missing(from: $0) } ?? []
            if !missing.isEmpty { lines.append(("not granted", style(missing.joined(separator: ", "), .yellow))) }
            lines.append(("token expires", signedIn.expiresAt.map { Words.expiry($0, now: now) } ?? "the server did not say"))
            lines.append(
                ("refreshed", isRenewable ? "automatically" : "no, there is no refresh token"))
        } else {
            lines.append(("signed in", style("no", .red)))
        }
        lines.append(("store", store))
        return style.facts(lines)
    }
}
