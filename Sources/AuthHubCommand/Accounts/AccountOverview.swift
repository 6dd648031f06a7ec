import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Platform

/// An overview of all accounts of the tool, by their stored records.
struct AccountOverview: Sendable {
    /// The entries, sorted by label; those without settings come last.
    let entries: [Entry]
    /// The reasons why some records cannot be opened, so that their accounts are unknown.
    let unreadable: [CredentialStoreError]

    struct Entry: Sendable {
        enum State: String, Sendable {
            case signedIn = "signed_in"
            case renewable, expired, unreadable
            /// Signed out here, but the tokens are not revoked yet.
            case revocationPending = "revocation_pending"
            /// Tokens that no command can find, because their settings were deleted.
            case withoutSettings = "without_settings"
        }

        let label: String
        let state: State
        /// The settings; nil if they are missing or unreadable.
        let settings: AccountSettings?
        /// The server of the sign-in; nil if unknown.
        let server: String?
        let clientID: String?
        /// The facts about the tokens; nil if there are none that could be read.
        let facts: SessionState.SignedIn?
        let isRenewable: Bool
        /// The user whom the tokens belong to; nil if it is not known.
        var user: SignedInUser?
        /// The problem with the record of the settings or of the tokens; nil if both can be read.
        var problem: SessionError?
    }
}

extension AccountOverview {
    static func read(_ store: any CredentialInventory, now: Date) async throws(Failure) -> Self {
        let book = AccountBook(store: store)
        let accounts = OAuthAccounts(store: store)
        let listing = try await Failure.translating { try await book.list() }
        var entries: [Entry] = []
        var named: Set<CredentialAccount> = []
        for label in listing.labels {
            let settings: AccountSettings
            let account: CredentialAccount
            do throws(SessionError) {
                guard let stored = try await book.settings(of: label) else { continue }
                (settings, account) = (stored, try stored.account(label: label))
            } catch {
                entries.append(Entry(unreadable: label, problem: error))
                continue
            }
            named.insert(account)
            let tokens = await accounts.account(account)
            let isPending = tokens == nil ? await accounts.hasUnfinishedSignOut(account) : false
            entries.append(Entry(label: label, settings: settings, tokens: tokens, isRevocationPending: isPending, now: now))
        }
        let stored = try await Failure.translating { try await accounts.list() }
        entries += stored.accounts.filter { !named.contains($0.account) }.map { Entry(withoutSettings: $0, now: now) }
        return Self(entries: entries, unreadable: listing.unreadable)
    }

    /// The reason why the list is incomplete.
    var failure: Failure { Self.failure(unreadable) }

    /// Creates an error for unreadable records.
    ///
    /// - Parameter unreadable: The reasons why some records cannot be opened.
    static func failure(_ unreadable: [CredentialStoreError]) -> Failure {
        if let missing = unreadable.first(where: { $0.code == .keyMissing }) { return Failure(missing) }
        let hint =
            if unreadable.contains(where: { $0.code == .corrupt }) {
                "authhub accounts remove --damaged, then sign in again"
            } else if unreadable.contains(where: { $0.code == .rolledBack }) {
                "sign in to the account again, or sign out: authhub logout"
            } else {
                "fix the problem and run the same command again"
            }
        return Failure(
            "store_failed", .storeFailed,
            "\(Words.count(unreadable.count, "record")) cannot be read\(unreadable.first.map { ": \($0.explanation)" } ?? "")", hint: hint)
    }
}

extension AccountOverview.Entry {
    fileprivate init(unreadable label: String, problem: SessionError) {
        self.init(
            label: label, state: .unreadable, settings: nil, server: nil, clientID: nil, facts: nil, isRenewable: false, problem: problem)
    }

    fileprivate init(label: String, settings: AccountSettings, tokens: OAuthAccount?, isRevocationPending: Bool, now: Date) {
        let state: State =
            switch tokens?.status(at: now) {
            case .signedIn: .signedIn
            case .renewable: .renewable
            case .unreadable: .unreadable
            case .expired: settings.signsInWithoutPage ? .renewable : .expired
            case nil: isRevocationPending ? .revocationPending : .expired
            }
        var problem: SessionError?
        if case .unreadable(let error)? = tokens?.content { problem = error }
        self.init(
            label: label, state: state, settings: settings, server: settings.server, clientID: settings.client.id, facts: tokens?.signedIn,
            isRenewable: tokens.map { $0.isRenewable(at: now) || settings.signsInWithoutPage } ?? false, user: tokens?.user,
            problem: problem)
    }

    fileprivate init(withoutSettings account: OAuthAccount, now: Date) {
        self.init(
            label: account.label, state: .withoutSettings, settings: nil, server: account.account.server,
            clientID: account.account.clientID, facts: account.signedIn, isRenewable: account.isRenewable(at: now), user: account.user)
    }

    /// The output for `-o json`; nothing in it is secret.
    var json: JSONValue {
        [
            "account": .string(label), "user": user?.json ?? .null, "state": .string(state.rawValue),
            "provider": (settings?.provider.name).map(JSONValue.string) ?? .null, "server": server.map(JSONValue.string) ?? .null,
            "client_id": clientID.map(JSONValue.string) ?? .null,
            "resource": (settings?.resource?.text).map(JSONValue.string) ?? .null,
            "scope": .array(facts?.scope.names.map { .string($0) } ?? []),
            "expires_at": (facts?.expiresAt).map { .string($0.formatted(.iso8601)) } ?? .null,
            "renewable": .bool(isRenewable),
            "problem": problem.map { error in
                let failure = Failure(error)
                return ["code": .string(failure.code), "explanation": .string(failure.message)]
            } ?? .null,
        ]
    }

    /// The reason why the account cannot be used as it is; nil if it can.
    var trouble: String? {
        let name = "“\(displayable(label, limit: 100))”"
        return switch state {
        case .signedIn, .renewable: nil
        case .expired: "The sign-in of \(name) has expired"
        case .revocationPending: "\(name) is signed out here; the server has not revoked the tokens yet"
        case .unreadable: "The record of \(name) cannot be read"
        case .withoutSettings: "The settings of \(name) are missing"
        }
    }

    /// The command to type if the account cannot be used as it is.
    var advice: String? {
        let suffix = AccountOptions.suffix(label)
        return switch state {
        case .signedIn, .renewable: nil
        case .expired: "authhub login\(suffix)"
        case .revocationPending: SignOutNotice.command(for: label)
        case .unreadable where settings != nil: "authhub login\(suffix)"
        case .unreadable, .withoutSettings: "authhub accounts remove \(label.hasPrefix("-") ? "-- " : "")\(label.shellWord)"
        }
    }
}
