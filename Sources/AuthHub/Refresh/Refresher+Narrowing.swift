import CredentialStorage
import OAuthProtocol

extension Refresher {
    /// Obtains an access token that is limited to less than was granted (RFC 6749 §6, RFC 8707 §2.2). The stored credential keeps its access
    /// token and scope; if the server replaces the refresh token, only the new one is stored.
    @concurrent
    func narrowedToken(_ access: NarrowedAccess) async throws(SessionError) -> AccessToken {
        let held: CredentialLease
        do throws(CredentialStoreError) {
            held = try await lease()
        } catch {
            throw SessionError(error)
        }
        do throws(SessionError) {
            let token = try await narrowedToken(access, held)
            await held.release()
            return token
        } catch {
            await held.release()
            throw error
        }
    }

    private func narrowedToken(_ access: NarrowedAccess, _ lease: CredentialLease) async throws(SessionError) -> AccessToken {
        guard var (old, version) = try await read() else { throw Self.signedOutElsewhere }
        if case .renewed(let credential, let newer)? = try await saveUnsaved(over: old, at: version) {
            (old, version) = (credential, newer)
        }
        guard old.refreshToken != nil else { throw .unrefreshable(old, at: now()) }
        let profile = try await server.resolved(needing: old.idToken == nil ? [.token] : [.token, .jwks])
        try old.checkEndpoint(.token, of: profile)
        let response = try await withRoom { [old, version] () async throws(SessionError) in
            switch try await answer(of: old, at: version, narrowedTo: access, profile, lease) {
            case .ended(.failed(let error, _)), .ended(.signedOut(let error)): throw error
            case .ended(.renewed), .ended(.adopted): throw SessionError(.lostLease)
            case .tokens(let response, _, let accepted, _, _):
                if let newer = response.refreshToken ?? accepted.refreshToken, newer != old.refreshToken {
                    let credential = Credential(keeping: newer, expiringAt: response.refreshTokenExpiresAt, after: old)
                    if case .signedOut(let error) = try await save(credential, replacing: old, at: version) { throw error }
                }
                return response
            }
        }
        let token = AccessToken(
            value: response.accessToken, type: response.tokenType, scope: response.scope, expiresAt: response.expiresAt,
            soleOrigin: old.soleOrigin)
        try access.check(token, insteadOf: old.accessToken)
        return token
    }
}
