import JOSE
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Verifies the ID tokens that the server issues together with access tokens.
struct IdentityVerifier: Sendable {
    let client: OAuthClient
    let backChannel: BackChannel

    /// Reads the keys that an ID token will be verified with, unless they are cached. Called before the request that spends a code or a
    /// refresh token, because nothing may go wrong afterwards.
    func prepare(for expectation: IDTokenExpectation?, at profile: ProviderProfile) async throws(SessionError) {
        if let expectation { _ = try await keySet(for: expectation, at: profile) }
    }

    /// Verifies the ID token of a response. If no key fits, the server may have replaced its keys: they are then read again, once.
    ///
    /// - Returns: nil if there is none and none is needed.
    /// - Throws: ``SessionError``: `.securityCheckFailed` if the ID token is missing or not valid; another code if the keys cannot be read.
    ///   Its `underlying` is an `OAuthError` with the tokens of the response.
    func verify(
        _ response: TokenResponse, meeting expectation: IDTokenExpectation?, at profile: ProviderProfile,
        on occasion: IDTokenExpectation.Occasion = .signIn
    ) async throws(SessionError) -> IDToken? {
        guard let expectation, response.hasIDToken || !occasion.isRefresh else { return nil }
        let judge = { @Sendable (keys: JSONWebKeySet) throws(OAuthError) -> IDToken? in
            try response.idToken(meeting: expectation, keys: keys, on: occasion, at: backChannel.now())
        }
        let copy: KeySetShelf.Copy
        do throws(SessionError) {
            copy = try await keySet(for: expectation, at: profile)
        } catch {
            let cause = OAuthError(.invalidResponse, error.explanation, underlying: error)
            throw SessionError(error.code, error.explanation, underlying: response.rejected(because: cause))
        }
        do throws(OAuthError) {
            do throws(OAuthError) {
                return try judge(copy.keys)
            } catch {
                guard (error.underlying as? JOSEError)?.code == .noKey,
                    let newer = try? await keySet(for: expectation, at: profile, newerThan: copy), newer.number != copy.number
                else { throw error }
                return try judge(newer.keys)
            }
        } catch {
            throw SessionError(error)
        }
    }

    private func keySet(
        for expectation: IDTokenExpectation, at profile: ProviderProfile, newerThan old: KeySetShelf.Copy? = nil
    ) async throws(SessionError) -> KeySetShelf.Copy {
        do throws(OAuthError) {
            if let keys = try expectation.clientSecretKeys(of: client) { return KeySetShelf.Copy(keys: keys, number: 0) }
        } catch {
            throw SessionError(error)
        }
        let url: String
        do throws(OAuthError) {
            url = try profile.url(of: .jwks)
        } catch {
            throw SessionError(error)
        }
        return try await backChannel.keySet(of: profile.identity, at: url, newerThan: old)
    }
}
