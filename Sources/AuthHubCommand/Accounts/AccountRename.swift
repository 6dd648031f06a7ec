import AuthHub
import AuthHubPrimitives
import CredentialStorage

/// A change of an account's label.
///
/// The settings are copied first, then the tokens are moved, and then the old settings are deleted: at any interruption, tokens have
/// settings that lead to them, and running the same command again finishes the change.
struct AccountRename: Sendable {
    let store: any CredentialInventory
    let source: String
    let target: String

    private var book: AccountBook { AccountBook(store: store) }

    /// Renames the account.
    ///
    /// - Throws: ``Failure`` if there is no such account, the new label is in use, or a sign-in to one of the two is in progress.
    func perform() async throws(Failure) {
        guard let settings = try await Failure.translating({ try await book.settings(of: source) }) else { throw .unknownAccount(source) }
        let account = try Failure.translating { try settings.account(label: source) }
        let leases = try await takeTurns([account, try Failure.translating { try settings.account(label: target) }])
        let outcome: Result<Void, Failure>
        do {
            outcome = .success(try await move(settings, account))
        } catch {
            outcome = .failure(error)
        }
        for lease in leases { await lease.release() }
        try outcome.get()
    }

    private func move(_ settings: AccountSettings, _ account: CredentialAccount) async throws(Failure) {
        try await requireNoPendingRevocation(of: account)
        let copied = try await copy(settings)
        do {
            try await OAuthAccounts(store: store).relabel(account, as: target)
        } catch {
            guard error.code == .signInNeeded, copied != nil, (try? await book.settings(of: source)) == settings else {
                await takeBack(copied)
                throw failure(error)
            }
            // The account is not signed in: there are only settings to move.
        }
        try await forgetSource(settings)
    }

    /// Tokens that a sign-out could not revoke are stored under the account's label, and only that label leads to them.
    private func requireNoPendingRevocation(of account: CredentialAccount) async throws(Failure) {
        do throws(CredentialStoreError) {
            guard try await store.read(account.signOut) != nil, try await store.read(account) == nil else { return }
        } catch {
            throw Failure(error)
        }
        throw .revocationPending(
            source, hint: "authhub logout\(AccountOptions.suffix(source)), then run the same command again")
    }

    /// Copies the settings.
    ///
    /// - Returns: The version of the copy; nil if it existed already.
    private func copy(_ settings: AccountSettings) async throws(Failure) -> CredentialVersion? {
        let outcome: CredentialWriteOutcome
        do {
            outcome = try await store.write(
                try settings.record(label: target), for: AccountSettings.recordAccount(label: target), replacing: nil)
        } catch let error as SessionError {
            throw Failure(error)
        } catch let error as CredentialStoreError {
            throw Failure(error)
        } catch {
            throw Failure("store_failed", .storeFailed, "the settings could not be written", hint: "run the same command again")
        }
        switch outcome {
        case .stored(let version): return version
        case .superseded:
            // Equal settings are the remains of an interrupted rename, not of another account. Moving the tokens shows whether any
            // are stored under the new label.
            guard try await Failure.translating({ try await book.settings(of: target) }) == settings else { throw taken }
            return nil
        }
    }

    /// Prevents sign-ins during the rename, which would store their tokens under the old label or replace the moved tokens.
    private func takeTurns(_ accounts: [CredentialAccount]) async throws(Failure) -> [CredentialLease] {
        var leases: [CredentialLease] = []
        do throws(CredentialStoreError) {
            for account in accounts { leases.append(try await store.lease(account.signIns, waitingAtMost: .zero)) }
        } catch {
            for lease in leases { await lease.release() }
            guard error.code == .leaseHeld else { throw Failure(error) }
            let other = error.leaseHolder.map { "process \($0)" } ?? "another process"
            throw Failure(
                "try_again", .tryAgain, "\(other) is signing in to this account or renaming it",
                hint: "let it finish or cancel it, then run the same command again")
        }
        return leases
    }

    /// Removes the copy. Completes even if the command is interrupted.
    private func takeBack(_ copied: CredentialVersion?) async {
        guard let copied else { return }
        _ = await Task { try? await store.delete(AccountSettings.recordAccount(label: target), at: copied) }.value
    }

    /// Deletes the old settings, unless a login has changed them in the meantime. Completes even if the command is interrupted.
    private func forgetSource(_ settings: AccountSettings) async throws(Failure) {
        let outcome = await Task { () async -> Result<Void, Failure> in
            do {
                let record = AccountSettings.recordAccount(label: source)
                guard let stored = try await store.read(record), try AccountSettings(record: stored.payload) == settings else {
                    return .success(())
                }
                try await store.delete(record, at: stored.version)
                return .success(())
            } catch let error as CredentialStoreError {
                return .failure(Failure(error))
            } catch {
                return .failure(Failure(cause: error))
            }
        }.value
        try outcome.get()
    }

    private var taken: Failure {
        Failure(
            "label_taken", .failed, "there is already an account “\(target)”",
            hint: "authhub accounts rename \(source) NAME, or authhub accounts remove \(target) first")
    }

    private func failure(_ error: SessionError) -> Failure {
        switch error.code {
        case .misconfigured: taken
        case .signInNeeded:
            .notSignedIn(as: source, ", and there is already an account “\(target)”", hint: "authhub accounts remove \(source)")
        default: Failure(error)
        }
    }
}
