import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol

extension BackChannel {
    /// Returns an authorization server's metadata, from the shared cache or from the server.
    ///
    /// - Parameters:
    ///   - needed: Endpoints without which the first document is not enough: if it lacks one of them, the issuer's other documents are read
    ///     as well, and complete it.
    ///   - usesOpenID: Whether the server is used as an OpenID provider. Its document for OpenID Connect is then read as well, and takes
    ///     precedence: the one for OAuth (RFC 8414) may lack the same members, or have them for other purposes.
    ///   - needsProofKeys: Whether the other documents are also read if the first one does not say whether the server supports PKCE.
    func metadata(
        of issuer: Issuer, quirks: ProviderQuirks.DiscoveryQuirks, needing needed: Set<Endpoints.Name> = [],
        forOpenID usesOpenID: Bool = false, needsProofKeys: Bool = false
    ) async throws(SessionError) -> MetadataEntries.Copy {
        var key = MetadataEntries.Key(issuer: issuer, quirks: quirks)
        let first = try await cache.copy(for: key, now: now) { [key] in await self.read(key) }
        if usesOpenID, !first.reading.isForOpenID {
            key.extent = .allDocumentsForOpenID
        } else {
            let lacksProofKeys = needsProofKeys && first.metadata.codeChallengeMethods == nil
            guard lacksProofKeys || needed.contains(where: { first.metadata.endpoints[$0] == nil }) else { return first }
            key.extent = .allDocuments
        }
        return try await cache.copy(for: key, now: now) { [key] in await self.complete(first.reading, to: key.extent) }
    }

    @concurrent
    private func read(_ key: MetadataEntries.Key) async -> MetadataCache.Reading {
        do {
            var search = MetadataSearch(of: key.issuer, discovery: key.quirks)
            let (metadata, head) = try await find(&search) { places in
                SessionError(
                    .misconfigured,
                    "\(displayable(key.issuer.text, limit: 200)) publishes no metadata (\(places)); set its endpoints instead",
                    underlying: NoDocuments(places: places))
            }
            return .success(
                MetadataEntries.Reading(
                    metadata: metadata, isForOpenID: search.isAtOpenIDPlace, rest: search, freshFor: MetadataRules.freshness(of: head)))
        } catch {
            return .failure(error)
        }
    }

    /// Reads the documents at the remaining URLs. A document that is invalid or belongs to another issuer adds nothing. A server that
    /// cannot be reached is an error, because it may have a document.
    @concurrent
    private func complete(_ first: MetadataEntries.Reading, to extent: MetadataRules.Extent) async -> MetadataCache.Reading {
        guard var search = first.rest else { return .success(first) }
        var (metadata, freshFor, isForOpenID) = (first.metadata, first.freshFor, first.isForOpenID)
        search.proceed()
        while search.url != nil {
            do {
                let (other, head) = try await find(&search) { SessionError(.misconfigured, "no other document was found (\($0))") }
                if extent == .allDocumentsForOpenID, !isForOpenID, search.isAtOpenIDPlace {
                    (metadata, isForOpenID) = (other.completed(by: metadata), true)
                } else {
                    metadata = metadata.completed(by: other)
                }
                freshFor = min(freshFor, MetadataRules.freshness(of: head))
            } catch {
                guard ![.unreachable, .cancelledByProgram].contains(error.code) else { return .failure(error) }
            }
            search.proceed()
        }
        return .success(MetadataEntries.Reading(metadata: metadata, isForOpenID: isForOpenID, rest: nil, freshFor: freshFor))
    }

    /// Requests one URL after the other, up to the next document.
    ///
    /// - Parameter nothing: Creates the error if no document is found, from the requested URLs and what each returned.
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
        throw nothing(search.places)
    }
}

/// The underlying error if none of the URLs has a metadata document.
package struct NoDocuments: Error {
    /// The URLs, and what each returned.
    let places: String
}

extension MetadataSearch {
    /// The URLs without a document, and what each returned.
    var places: String { misses.map { "\(displayable($0.url, limit: 300)): \($0.answer)" }.joined(separator: ", ") }

    fileprivate var isAtOpenIDPlace: Bool { place?.contains("/.well-known/openid-configuration") ?? false }
}
