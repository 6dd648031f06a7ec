import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

/// An account, with the servers that git may send its token to.
struct GitAccount: Sendable {
    let label: String
    let profile: ProviderProfile
    /// Whether http is allowed for a server on this machine.
    var allowsInsecureLoopback = false
    /// The names of the user at the server, in lower case; empty if they are unknown.
    var userNames: Set<String> = []
    var isSignedIn = true
}

extension GitAccount {
    /// Whether the server belongs to the account, so that it may receive the token.
    func serves(_ origin: Origin) -> Bool { origins.union(repositories).contains(origin) }

    /// The origins of the repositories; empty if the provider is not known to host any.
    var repositories: Set<Origin> {
        let git = profile.quirks.git
        guard git.userName != nil || !git.origins.isEmpty else { return [] }
        guard git.origins.isEmpty else { return git.origins.filter(isSecure) }
        return Set([profile.endpoints?.authorization].compactMap { $0.flatMap(Origin.init(url:)) }).filter(isSecure)
    }

    private var origins: Set<Origin> {
        let endpoints = [profile.endpoints?.authorization, profile.endpoints?.token].compactMap { $0.flatMap(Origin.init(url:)) }
        return profile.tokenOrigins.union(endpoints).filter(isSecure)
    }

    private func isSecure(_ origin: Origin) -> Bool {
        origin.scheme == "https" || (origin.isLoopback && allowsInsecureLoopback)
    }
}

extension GitAccount {
    /// Reads the accounts that a server belongs to. An account whose records cannot be read serves no server.
    ///
    /// - Parameters:
    ///   - origin: The server; nil for all accounts.
    ///   - label: The only account to read; nil for all.
    ///   - includingSignedOut: Whether to return accounts without tokens, too.
    static func all(
        for origin: Origin?, label: String?, includingSignedOut: Bool = false, in store: any CredentialInventory
    ) async throws(Failure) -> [GitAccount] {
        let book = AccountBook(store: store)
        let labels = try await Failure.translating { () async throws(SessionError) in
            if let label { [label] } else { try await book.list().labels }
        }
        var accounts: [GitAccount] = []
        for label in labels {
            guard let settings = try? await book.settings(of: label), settings.resource == nil, let profile = try? settings.profile(),
                let name = try? settings.account(label: label)
            else { continue }
            var account = GitAccount(label: label, profile: profile, allowsInsecureLoopback: settings.allowsInsecureLoopback)
            if let origin, !account.serves(origin) { continue }
            let tokens = await OAuthAccounts(store: store).account(name)
            guard tokens != nil || includingSignedOut else { continue }
            account.isSignedIn = tokens != nil
            let claims = tokens?.identity?.claims
            account.userNames = Set(["preferred_username", "nickname", "email"].compactMap { claims?[$0]?.string?.lowercased() })
            accounts.append(account)
        }
        return accounts
    }
}

/// The account whose token git receives.
enum GitAccountChoice: Sendable, Equatable {
    case none
    case account(String)
    /// Several accounts fit, and neither the user name nor the user's rules select one.
    case ambiguous([String])

    /// Chooses one of the accounts that the server belongs to.
    ///
    /// - Parameters:
    ///   - userName: The user name in the URL or in `credential.username`. Accounts of users with other known names are excluded.
    ///   - preferred: Returns labels, the first of which that fits decides. Called only if several accounts fit.
    init(among accounts: [GitAccount], userName: String?, preferred: () async -> [String]) async {
        let name = userName?.lowercased()
        var fitting = accounts
        if let name, !GitCredentialAnswer.sharedUserNames.contains(name) {
            let named = accounts.filter { $0.label.lowercased() == name || $0.userNames.contains(name) }
            fitting = named.isEmpty ? accounts.filter(\.userNames.isEmpty) : named
        }
        let labels = fitting.map(\.label)
        switch labels.count {
        case 0: self = .none
        case 1: self = .account(labels[0])
        default: self = await preferred().first { labels.contains($0) }.map { .account($0) } ?? .ambiguous(labels)
        }
    }
}
