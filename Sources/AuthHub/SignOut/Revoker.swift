import HTTPLoading
import OAuthProtocol

/// Tells the server that tokens are not needed any more.
struct Revoker: Sendable {
    let client: OAuthClient
    let server: ServerDirectory
    let backChannel: BackChannel

    /// How long the server is tried to be told in a sign-out, in all: its metadata and each token.
    static let timeLimit = Duration.seconds(10)

    /// Asks for each token: a server that does not revoke one kind may well revoke the other (RFC 7009 §2.2.1).
    ///
    /// - Returns: Whether the server has, and took, a request to revoke.
    /// - Throws: ``SessionError`` for the first that it did not take, or with `.unreachable` as soon as no answer comes.
    @concurrent
    func revoke(_ credential: Credential) async throws(SessionError) -> Bool {
        let profile = try await server.resolved()
        do {
            let requests = try RevocationRequest.revoking(
                accessToken: credential.accessToken, refreshToken: credential.refreshToken, client: client, at: profile)
            var refusal: OAuthError?
            for request in requests {
                let answer = try await backChannel.send(request.message)
                do throws(OAuthError) {
                    try request.checkAnswer(answer.head, body: answer.body, from: profile)
                } catch {
                    refusal = refusal ?? error
                }
            }
            if let refusal { throw refusal }
            return !requests.isEmpty
        } catch {
            throw SessionError(cause: error)
        }
    }

    /// For tokens that nobody will use: trying is all that can be done.
    func revokeQuietly(_ credential: Credential) async {
        _ = try? await revoke(credential)
    }

    /// Has what was deleted revoked, within ``timeLimit``.
    ///
    /// - Parameter unsaved: Tokens that never came to be stored; what becomes of them is not told.
    func revoke(
        _ deletion: CredentialDeletion.Outcome, and unsaved: Credential? = nil, on clock: LoadClock
    ) async -> SignOutReport.Revocation {
        let revocation = await result(within: Self.timeLimit, on: clock) {
            let told = await self.revoke(deletion)
            if let unsaved { await self.revokeQuietly(unsaved) }
            return told
        }
        return revocation
            ?? .failed(SessionError(.unreachable, "the server did not confirm the revocation within \(Self.timeLimit)"))
    }

    private func revoke(_ deletion: CredentialDeletion.Outcome) async -> SignOutReport.Revocation {
        guard deletion.problem == nil else { return .notNeeded }
        do throws(SessionError) {
            guard let credential = try deletion.found.get() else { return .notNeeded }
            return try await revoke(credential) ? .done : .notOffered
        } catch {
            return .failed(error)
        }
    }
}
