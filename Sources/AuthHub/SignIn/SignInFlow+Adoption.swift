import CredentialStorage
import OAuthProtocol

extension SignInFlow {
    /// Stores tokens that another program obtained, as the result of a sign-in without a page. A refresh token is refreshed first, and if
    /// that fails, nothing is stored.
    ///
    /// If the turn is free, the adoption takes it, so that others wait instead of showing a page. It does not wait for another sign-in's
    /// page.
    @concurrent
    func adopt(
        _ tokens: AdoptedTokens, mayStore: @escaping @Sendable () async -> Bool
    ) async throws(SessionError) -> (Credential, CredentialVersion) {
        let profile = try await server.resolved(needing: Set([.token]).withKeys(for: collection.scope(of: tokens)))
        let lease = await turn.beginIfFree()
        var note: PendingSignIns.Note?
        let outcome: Result<(Credential, CredentialVersion), SessionError>
        do throws(SessionError) {
            let room = try await roomForTokens()
            do throws(SessionError) {
                let begun = try await pendingSignIns.begin()
                note = begun
                outcome = await collection.adopt(tokens, at: profile, mayStore: mayStore) { await finishUnlessSignedOut(begun) }
            } catch {
                await room.release()
                throw error
            }
            await room.release()
        } catch {
            outcome = .failure(error)
        }
        if case .failure = outcome, let note { await giveUp(note) }
        await lease?.release()
        return try outcome.get()
    }

    /// Reserves space for the record before the request, because the server may replace the refresh token when it receives the request.
    private func roomForTokens() async throws(SessionError) -> RoomReservation {
        do throws(CredentialStoreError) {
            return try await store.reserveRoom(for: account)
        } catch {
            throw SessionError(error)
        }
    }
}
