import ArgumentParser
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Platform

/// The answers to git's requests for the tool's accounts.
struct GitCredentials: Sendable {
    /// The store, and the only account to use if one is named.
    let options: AccountOptions

    /// Tokens with less time left are refreshed first.
    private static let minimumLifetime = Duration.seconds(60)

    enum Answer: Sendable {
        /// The text for git.
        case text(Secret<String>)
        /// No account serves the server.
        case nothing
        /// An account serves the server, but the user has to sign in to it. The failure is nil if the user has signed out.
        case signInNeeded(label: String, Failure?)
    }

    /// Returns the answer to a request.
    ///
    /// - Throws: ``Failure`` if several accounts serve the server, or the token of one cannot be refreshed now.
    func answer(_ request: GitCredentialRequest) async throws(Failure) -> Answer {
        guard let origin = request.origin else { return .nothing }
        let accounts = try await GitAccount.all(
            for: origin, label: options.typedLabel, includingSignedOut: true, in: try ToolStore.open(options.storage))
        let label: String
        switch await choice(among: accounts.filter(\.isSignedIn), request, at: origin) {
        case .none:
            guard case .account(let signedOut) = await choice(among: accounts.filter { !$0.isSignedIn }, request, at: origin) else {
                return .nothing
            }
            return .signInNeeded(label: signedOut, nil)
        case .account(let chosen): label = chosen
        case .ambiguous(let labels):
            throw .usage(
                "several accounts have tokens for \(origin): \(labels.joined(separator: ", "))",
                hint: "git config authhub.account NAME, or authhub accounts use NAME")
        }
        guard let account = accounts.first(where: { $0.label == label }) else { return .nothing }
        let session = try await SignedInAccount.open(options.naming(label))
        let token: AccessToken
        do throws(Failure) {
            token = try await self.token(of: session, for: request)
        } catch {
            guard error.exit == .signInNeeded else { throw error }
            return .signInNeeded(label: label, error)
        }
        // The metadata of a server cannot make the tokens of another server its own (RFC 9700 §4.4).
        guard token.soleOrigin.map({ $0 == origin }) ?? true else { return .nothing }
        return .text(GitCredentialAnswer(request, token: token, git: account.profile.quirks.git, now: Date()).text)
    }

    private func choice(among accounts: [GitAccount], _ request: GitCredentialRequest, at origin: Origin) async -> GitAccountChoice {
        await GitAccountChoice(among: accounts, userName: request.userName) { await Self.preferredLabels(at: origin) }
    }

    private func token(of account: SignedInAccount, for request: GitCredentialRequest) async throws(Failure) -> AccessToken {
        do {
            let token = try await account.session.accessToken(minimumLifetime: Self.minimumLifetime)
            // If it is a different token than the rejected one, another process has refreshed it.
            guard GitCredentialAnswer.rejected(in: request) == token.fingerprint else { return token }
            return try await account.session.accessToken(insteadOf: token.value)
        } catch {
            throw await account.failure(error)
        }
    }

    /// Refreshes the token that git reports as rejected, so that git's next request returns another one.
    ///
    /// git also reports valid tokens, such as after a response that only requires another scheme. So nothing is deleted. A token that is not
    /// the stored one is ignored, so that several git processes that report the same token cause one refresh.
    ///
    /// - Returns: The labels of the accounts whose tokens were refreshed.
    func refresh(_ request: GitCredentialRequest) async throws(Failure) -> [String] {
        guard let origin = request.origin, let rejected = request.token else { return [] }
        var refreshed: [String] = []
        let store = try ToolStore.open(options.storage)
        for account in try await GitAccount.all(for: origin, label: options.typedLabel, in: store) {
            guard try await isCurrent(rejected, of: account.label, in: store) else { continue }
            let account = try await SignedInAccount.open(options.naming(account.label))
            if let scope = request.missingScope {
                let wanted = (account.settings.scope ?? []).union(Scope(scope))
                let missing = scope.isEmpty ? "more scope" : "the scope \(displayable(scope, limit: 200))"
                throw Failure(
                    "denied", .denied, "the server requires \(missing), which the token of “\(account.label)” does not have",
                    hint: scope.isEmpty
                        ? "\(account.login) --scope SCOPES, with all scopes that the operation requires"
                        : "\(account.login) --scope \(wanted.names.joined(separator: ",").shellWord)")
            }
            do {
                // Another process may have refreshed the token since.
                _ = try await account.session.accessToken(insteadOf: rejected)
            } catch {
                throw await account.failure(error)
            }
            refreshed.append(account.label)
        }
        return refreshed
    }

    private func isCurrent(
        _ token: Secret<String>, of label: String, in store: any CredentialInventory
    ) async throws(Failure) -> Bool {
        do throws(CredentialStoreError) {
            guard let settings = try await store.read(AccountSettings.recordAccount(label: label)),
                let account = AccountSettings.tokenAccount(in: settings.payload, label: label),
                let record = try await store.read(account)
            else { return false }
            // An expired token is not current: it is refreshed before it is used again.
            return CachedToken(record: record.payload, freshAt: Date())?.value == token
        } catch {
            throw Failure(error)
        }
    }

    /// The labels that the user's rules name, in the order of precedence: as for other commands, except that git's configuration for all
    /// repositories counts, too.
    private static func preferredLabels(at origin: Origin) async -> [String] {
        let surroundings = await AccountEnvironment.readingGit()
        let configured = try? await GitProgram.run("config", "--global", "--get", "authhub.account").lines.first
        let binding = RequestTarget("\(origin)/").flatMap { surroundings.rules.binding(for: $0) }
        let rules = [surroundings.variable, configured, surroundings.folder?.label, binding?.account, surroundings.rules.current]
        return rules.compactMap(\.self)
    }
}
