import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol

extension BackChannel {
    /// Returns an authorization server's metadata, from the shared cache or from the server.
    ///
    /// - Parameter needed: Endpoints without which the first document is not enough: if it lacks one of them, the issuer's other documents
    ///   are read as well, and complete it.
    func metadata(
        of issuer: Issuer, quirks: ProviderQuirks.DiscoveryQuirks, needing needed: Set<Endpoints.Name> = []
    ) async throws(SessionError) -> MetadataShelf.Copy {
        var key = MetadataShelf.Key(issuer: issuer, quirks: quirks)
        let first = try await cache.copy(for: key, now: now) { [key] in await self.read(key) }
        guard needed.contains(where: { first.metadata.endpoints[$0] == nil }) else { return first }
        key.isCompleted = true
        return try await cache.copy(for: key, now: now) { await self.complete(first.reading) }
    }

    @concurrent
    private func read(_ key: MetadataShelf.Key) async -> MetadataCache.Reading {
        do {
            var search = MetadataSearch(of: key.issuer, discovery: key.quirks)
            let (metadata, head) = try await find(&search) { places in
                SessionError(
                    .misconfigured,
                    "\(displayable(key.issuer.text, limit: 200)) publishes no metadata (\(places)); set its endpoints instead")
            }
            return .success(MetadataShelf.Reading(metadata: metadata, rest: search, freshFor: MetadataRules.freshness(of: head)))
        } catch {
            return .failure(error)
        }
    }

    /// Reads the documents at the remaining URLs. A document that is invalid or belongs to another issuer adds nothing. A server that
    /// cannot be reached is an error, because it may have a document.
    @concurrent
    private func complete(_ first: MetadataShelf.Reading) async -> MetadataCache.Reading {
        guard var search = first.rest else { return .success(first) }
        var (metadata, freshFor) = (first.metadata, first.freshFor)
        search.proceed()
        while search.url != nil {
            do {
                let (other, head) = try await find(&search) { SessionError(.misconfigured, "no other document was found (\($0))") }
                metadata = metadata.completed(by: other)
                freshFor = min(freshFor, MetadataRules.freshness(of: head))
            } catch {
                guard ![.unreachable, .cancelledByProgram].contains(error.code) else { return .failure(error) }
            }
            search.proceed()
        }
        return .success(MetadataShelf.Reading(metadata: metadata, rest: nil, freshFor: freshFor))
    }

    /// Requests one URL after the other, up to the next document.
    ///
    /// - Parameter nothing: Creates the error if no document is found, from the requested URLs and their statuses.
    func find<Document>(
        _ search: inout MetadataSearch<Document>, orElse nothing: (_ places: String) -> SessionError
    ) async throws(SessionError) -> (Document, HTTPResponse) {
        while let address = search.url {
            let answer = try await get(address)
            do throws(OAuthError) {
                if let document = try search.accept(answer.head, body: answer.body) { return (document, answer.head) }
            } catch {
                throw SessionError(error)
            }
        }
        throw nothing(search.misses.map { "\(displayable($0.url, limit: 300)): \($0.status)" }.joined(separator: ", "))
    }
}
