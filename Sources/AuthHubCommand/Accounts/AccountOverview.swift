import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// All accounts that the tool has anything of, by what is stored.
struct AccountOverview: Sendable {
    /// Ordered by label; those without settings come last.
    let entries: [Entry]
    /// Why some records do not open, so that it is unknown whose they are.
    let unreadable: [CredentialStoreError]
    /// The labels of accounts that are signed out here, but whose tokens are not revoked yet.
    let unfinishedSignOuts: [String]

    struct Entry: Sendable {
        enum State: String, Sendable {
            case signedIn = "signed_in"
            case renewable, ended, unreadable
            /// Tokens that no command finds, because what they were signed in with is gone.
            case withoutSettings = "without_settings"
        }

        let label: String
        let state: State
        /// nil where they are gone or unreadable.
        let settings: AccountSettings?
        /// Where people sign in; nil where that is unknown.
        let server: String?
        let clientID: String?
        /// nil where there are no tokens that could be read.
        let facts: SessionState.SignedIn?
        let isRenewable: Bool
    }
}

extension AccountOverview {
    static func read(_ store: any CredentialInventory, now: Date) async throws(Failure) -> Self {
        let book = AccountBook(store: store)
        let accounts = OAuthAccounts(store: store)
        let (labels, unreadable) = try await book.labels()
        var entries: [Entry] = []
        var named: Set<CredentialAccount> = []
        var unfinished: [String] = []
        for label in labels {
            guard let (settings, account) = await account(label, in: book) else {
                entries.append(
                    Entry(label: label, state: .unreadable, settings: nil, server: nil, clientID: nil, facts: nil, isRenewable: false))
                continue
            }
            named.insert(account)
            let tokens = await accounts.account(account)
            if tokens == nil, await accounts.hasUnfinishedSignOut(account) {
                unfinished.append(label)
            } else {
                entries.append(Entry(label: label, settings: settings, tokens: tokens, now: now))
            }
        }
        let listing: OAuthAccounts.Listing
        do {
            listing = try await accounts.list()
        } catch {
            throw Failure(error)
        }
        entries += listing.accounts.filter { !named.contains($0.account) }.map { Entry(withoutSettings: $0, now: now) }
        return Self(entries: entries, unreadable: unreadable, unfinishedSignOuts: unfinished)
    }

    /// nil where the settings cannot be read.
    private static func account(_ label: String, in book: AccountBook) async -> (AccountSettings, CredentialAccount)? {
        guard let settings = try? await book.settings(of: label), let account = try? settings.account(label: label) else { return nil }
        return (settings, account)
    }

    /// Why the list is not the whole of what is stored.
    var failure: Failure { Self.failure(unreadable) }

    /// - Parameter unreadable: Why some records do not open.
    static func failure(_ unreadable: [CredentialStoreError]) -> Failure {
        let hint =
            if unreadable.contains(where: { $0.code == .corrupt }) {
                "authhub accounts remove --damaged, and then sign in again"
            } else if unreadable.contains(where: { $0.code == .rolledBack }) {
                "sign in to the account again, or sign out: authhub logout"
            } else {
                "fix that and run the same command again"
            }
        return Failure(
            "store_failed", .storeFailed,
            "\(Words.count(unreadable.count, "record")) cannot be read: \(unreadable.first?.explanation ?? "")", hint: hint)
    }
}

extension AccountOverview.Entry {
    fileprivate init(label: String, settings: AccountSettings, tokens: OAuthAccount?, now: Date) {
        let state: State =
            switch tokens?.standing(at: now) {
            case .signedIn: .signedIn
            case .renewable: .renewable
            case .unreadable: .unreadable
            case .ended, nil: .ended
            }
        self.init(
            label: label, state: state, settings: settings, server: settings.server, clientID: settings.clientID, facts: tokens?.signedIn,
            isRenewable: tokens?.isRenewable(at: now) ?? false)
    }

    fileprivate init(withoutSettings account: OAuthAccount, now: Date) {
        self.init(
            label: account.label, state: .withoutSettings, settings: nil, server: account.account.server,
            clientID: account.account.clientID, facts: account.signedIn, isRenewable: account.isRenewable(at: now))
    }

    /// As `-o json` writes it; nothing of it is secret.
    var json: JSONValue {
        [
            "account": .string(label), "state": .string(state.rawValue),
            "provider": (settings?.providerArgument).map(JSONValue.string) ?? .null, "server": server.map(JSONValue.string) ?? .null,
            "client_id": clientID.map(JSONValue.string) ?? .null,
            "scope": .array(facts?.scope.names.map { .string($0) } ?? []),
            "expires_at": (facts?.expiresAt).map { .string($0.formatted(.iso8601)) } ?? .null,
            "renewable": .bool(isRenewable),
        ]
    }

    /// What to type where the account cannot be used as it is.
    var advice: String? {
        let suffix = AccountOptions.suffix(label)
        return switch state {
        case .signedIn, .renewable: nil
        case .ended: "authhub login\(suffix)"
        case .unreadable where settings != nil: "authhub login\(suffix)"
        case .unreadable, .withoutSettings: "authhub accounts remove \(label.hasPrefix("-") ? "-- " : "")\(label.shellWord)"
        }
    }
}

extension AccountSettings {
    /// Where people sign in.
    fileprivate var server: String {
        switch provider {
        case .issuer(let text): text
        case .known, .described: (try? profile().identity).flatMap { Origin(url: $0)?.description } ?? providerArgument
        }
    }
}
