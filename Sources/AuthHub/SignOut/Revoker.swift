import OAuthProtocol

/// Tells the server that tokens are not needed any more.
struct Revoker: Sendable {
    let client: OAuthClient
    let server: ServerDirectory
    let backChannel: BackChannel

    /// - Returns: Whether the server has, and took, a request to revoke.
    @concurrent
    func revoke(_ credential: Credential) async throws(SessionError) -> Bool {
        let profile = try await server.resolved()
        do {
            let requests = try RevocationRequest.revoking(
                accessToken: credential.accessToken, refreshToken: credential.refreshToken, client: client, at: profile)
            for request in requests {
                let answer = try await backChannel.send(request.message)
                try request.checkAnswer(answer.head, body: answer.body, from: profile)
            }
            return !requests.isEmpty
        } catch {
            throw SessionError(cause: error)
        }
    }

    /// For tokens that nobody will use: trying is all that can be done.
    func revokeQuietly(_ credential: Credential) async {
        _ = try? await revoke(credential)
    }
}
