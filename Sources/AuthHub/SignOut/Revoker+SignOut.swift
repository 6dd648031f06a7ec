import AuthHubPrimitives
import HTTPLoading

extension Revoker {
    /// Revokes the deleted tokens, within ``timeLimit``.
    ///
    /// - Parameter unsaved: Tokens that could not be stored. The result of revoking them is not reported.
    func revoke(
        _ deletion: CredentialDeletion.Outcome, and unsaved: Credential? = nil, on clock: LoadClock
    ) async -> SignOutReport.Revocation {
        let revocation = await withinLimit(on: clock) {
            let told = await self.revoke(deletion)
            if let unsaved { await self.revokeQuietly(unsaved) }
            return told
        }
        guard deletion.problem == nil else { return revocation }
        return await deletion.unfinished.attempted(revocation, of: (try? deletion.found.get()) ?? nil)
    }

    /// Revokes the tokens that an earlier sign-out left, within ``timeLimit``.
    func revoke(_ credential: Credential, on clock: LoadClock) async -> SignOutReport.Revocation {
        await withinLimit(on: clock) { await self.outcome(of: .success(credential)) }
    }

    private func withinLimit(
        on clock: LoadClock, _ work: @escaping @Sendable () async -> SignOutReport.Revocation
    ) async -> SignOutReport.Revocation {
        await result(within: Self.timeLimit, on: clock, of: work)
            ?? .failed(SessionError(.unreachable, "the server did not confirm the revocation within \(Self.timeLimit.inWords)"))
    }

    private func revoke(_ deletion: CredentialDeletion.Outcome) async -> SignOutReport.Revocation {
        guard deletion.problem == nil else { return .notNeeded }
        return await outcome(of: deletion.found)
    }

    private func outcome(of found: Result<Credential?, SessionError>) async -> SignOutReport.Revocation {
        do throws(SessionError) {
            guard let credential = try found.get() else { return .notNeeded }
            return try await revoke(credential) ? .done : .notOffered
        } catch {
            return .failed(error)
        }
    }
}
