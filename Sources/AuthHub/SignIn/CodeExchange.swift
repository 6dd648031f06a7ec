import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes a stored credential of an authorization code.
struct CodeExchange: Sendable {
    let account: CredentialAccount
    let client: OAuthClient
    let server: ServerDirectory
    let store: any CredentialStore
    let backChannel: BackChannel
    let now: @Sendable () -> Date

    /// Sends the code and stores the tokens, or has them revoked where they cannot be stored: nobody would ever have them. To be finished
    /// once begun: tokens that were issued must not get lost.
    ///
    /// - Parameter isWanted: Asked when the tokens have come; where it says no, they are revoked.
    func redeem(
        _ code: AuthorizationCode, at profile: ProviderProfile, isWanted: @Sendable () async -> Bool
    ) async -> Result<(Credential, CredentialVersion), SessionError> {
        do {
            let request = try TokenRequest.exchange(code, client: client, at: profile)
            let answer = try await backChannel.send(request.message)
            let issuedAt = now()
            let response = try TokenResponse(answer.head, body: answer.body, to: request, from: profile, at: issuedAt)
            let credential = Credential(response, issuedAt: issuedAt, sentAt: Date(sendingOf: answer.head, now: issuedAt))
            guard await isWanted() else {
                await revokeQuietly(credential)
                throw SessionError(.cancelledByProgram, "the session was signed out meanwhile")
            }
            return .success((credential, try await save(credential)))
        } catch {
            return .failure(SessionError(cause: error))
        }
    }

    /// A sign-in replaces whatever stands there.
    private func save(_ credential: Credential) async throws(SessionError) -> CredentialVersion {
        let version: CredentialVersion?
        do throws(CredentialStoreError) {
            version = try await store.overwrite(account, with: credential.record)
        } catch {
            if await !mayStand(credential, after: error) { await revokeQuietly(credential) }
            throw SessionError(error)
        }
        guard let version else {
            await revokeQuietly(credential)
            throw SessionError(.storeFailed, "other programs keep changing the stored credential")
        }
        return version
    }

    /// Whether a credential may have come into the store by a write that failed.
    private func mayStand(_ credential: Credential, after error: CredentialStoreError) async -> Bool {
        guard error.code == .failed else { return false }
        do {
            return try await store.credential(of: account)?.credential.signInID == credential.signInID
        } catch {
            return true
        }
    }

    private func revokeQuietly(_ credential: Credential) async {
        await Revoker(client: client, server: server, backChannel: backChannel).revokeQuietly(credential)
    }
}
