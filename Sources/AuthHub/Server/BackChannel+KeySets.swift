import HTTPTypes
import JOSE
import OAuthProtocol

extension BackChannel {
    /// Returns a server's keys, from the shared cache or from the server.
    ///
    /// - Parameters:
    ///   - server: The server's issuer.
    ///   - url: Its `jwks_uri`.
    ///   - old: A copy that has no key for a token; nil if any copy will do. The keys are read again unless that happened a moment ago.
    ///   - isForStrangers: Whether the keys are for messages that anyone can send.
    func keySet(
        of server: String, at url: String, newerThan old: KeySetEntries.Copy? = nil, forStrangers isForStrangers: Bool = false
    ) async throws(SessionError) -> KeySetEntries.Copy {
        let key = KeySetEntries.Key(server: server, url: url, isForStrangers: isForStrangers)
        return try await keySetCache.copy(for: key, newerThan: old?.number, now: now) { await self.readKeySet(at: url) }
    }

    @concurrent
    private func readKeySet(at url: String) async -> KeySetCache.Reading {
        do throws(SessionError) {
            let answer = try await get(url, accepting: "application/jwk-set+json, application/json")
            let response: KeySetResponse
            do throws(OAuthError) {
                response = try KeySetResponse(answer.head, body: answer.body, at: url)
            } catch {
                throw SessionError(error)
            }
            // Otherwise, one bad response would replace the keys in the cache.
            guard !response.keys.keys.isEmpty else {
                let reason = response.keys.rejected.first.map { ": \($0.error.explanation)" } ?? ""
                throw SessionError(.serverMisbehaved, "the server's key set at \(url) has no key that can be used\(reason)")
            }
            tell(response.irregularities)
            return .success(
                KeySetEntries.Reading(
                    keys: response.keys,
                    freshFor: MetadataRules.freshness(of: answer.head, usually: KeySetRules.usualTime)))
        } catch {
            return .failure(error)
        }
    }
}
