import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol

extension BackChannel {
    /// An authorization server's metadata, from the cache that sessions share, or read now.
    func metadata(of issuer: Issuer, habits: ProviderHabits.DiscoveryHabits) async throws(SessionError) -> MetadataShelf.Copy {
        let key = MetadataShelf.Key(issuer: issuer, habits: habits)
        return try await cache.metadata(for: key, now: now) { await self.read(key) }
    }

    @concurrent
    private func read(_ key: MetadataShelf.Key) async -> MetadataCache.Reading {
        do {
            let (metadata, head) = try await search(MetadataSearch(of: key.issuer, habits: key.habits)) {
                SessionError(
                    .misconfigured, "\(displayable(key.issuer.text, limit: 200)) publishes no metadata; name its endpoints instead")
            }
            return .success((metadata, MetadataShelf.freshness(of: head)))
        } catch {
            return .failure(error)
        }
    }

    /// Asks one address after the other.
    ///
    /// - Parameter nothing: What to say where there is nothing at any of them.
    func search<Document>(
        _ search: MetadataSearch<Document>, orElse nothing: () -> SessionError
    ) async throws(SessionError) -> (Document, HTTPResponse) {
        var search = search
        while let address = search.address {
            let answer = try await get(address)
            do throws(OAuthError) {
                if let document = try search.take(answer.head, body: answer.body) { return (document, answer.head) }
            } catch {
                throw SessionError(error)
            }
        }
        throw nothing()
    }
}
