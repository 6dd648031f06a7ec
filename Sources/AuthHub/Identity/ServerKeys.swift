import JOSE
import OAuthProtocol
import Platform

/// The keys that a server signs with, which verify its messages.
struct ServerKeys: Sendable {
    /// The client that the messages are for, whose secret may be the key; nil if they are for no client.
    var client: OAuthClient?
    let backChannel: BackChannel
    /// The kind of the messages.
    var message = ProviderProfile.SignedMessage.idToken
    /// Whether the messages can come from anyone.
    var isForStrangers = false

    /// Reads the keys, unless they are cached.
    func prepare(at profile: ProviderProfile) async throws(SessionError) {
        _ = try await copy(at: profile)
    }

    /// Checks a message with the server's keys. If no key fits, the server may have replaced its keys. The keys are then read again once,
    /// and the message is checked with the new keys.
    ///
    /// - Parameter validate: Checks the message with the keys that it receives.
    /// - Throws: ``SessionError`` for the error of `validate`, or if the keys cannot be read.
    func validate<Verdict>(
        at profile: ProviderProfile, _ validate: (JSONWebKeySet) throws(OAuthError) -> Verdict
    ) async throws(SessionError) -> Verdict {
        let first = try await copy(at: profile)
        let problem: OAuthError
        do throws(OAuthError) {
            return try validate(first.keys)
        } catch {
            problem = error
        }
        // The client secret is never replaced.
        guard (problem.underlying as? JOSEError)?.code == .noKey, first.number > 0 else { throw SessionError(problem) }
        let second = try await copy(at: profile, newerThan: first)
        guard second.number != first.number else {
            let age = backChannel.now().timeIntervalSince(first.readAt)
            guard age >= KeySetEntries.coolDown else { throw SessionError(problem) }
            throw SessionError(
                .unreachable, "the server may have replaced its keys, and they cannot be read again yet; try again in a minute")
        }
        do throws(OAuthError) {
            return try validate(second.keys)
        } catch {
            throw SessionError(error)
        }
    }

    private func copy(at profile: ProviderProfile, newerThan old: KeySetEntries.Copy? = nil) async throws(SessionError)
        -> KeySetEntries.Copy
    {
        let url: String
        do throws(OAuthError) {
            if let client, let keys = try profile.clientSecretKeys(of: client, for: message) {
                return KeySetEntries.Copy(reading: KeySetEntries.Reading(keys: keys, freshFor: 0), number: 0, readAt: backChannel.now())
            }
            url = try profile.url(of: .jwks)
        } catch {
            throw SessionError(error)
        }
        return try await backChannel.keySet(of: profile.identity, at: url, newerThan: old, forStrangers: isForStrangers)
    }
}
