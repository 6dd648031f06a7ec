import AuthHubPrimitives
import HTTPTypes
package import OAuthProtocol

/// The response at one of the URLs where an issuer may publish metadata.
package struct MetadataAnswer: Sendable {
    /// The outcome of a request for metadata.
    package enum Outcome: Sendable {
        case found(ServerMetadata)
        /// There is no document: a status of 4xx other than 429, a web page, or JSON that names no issuer.
        case nothing
        /// The server redirects. The URL is sanitized for display; nil if the response has none.
        case redirect(to: String?)
        case failed(SessionError)
    }

    /// The requested URL.
    package let address: String
    /// The status of the response; nil if none arrived.
    package let status: Int?
    /// The outcome of the request.
    package let outcome: Outcome
    /// What the URL returned instead of a document, in a few words; nil if there is one, or if no response arrived.
    package var words: String?
}

extension ServerDiscovery {
    /// Requests every URL that may contain an issuer's metadata, one after the other and without the cache, to inspect a server.
    ///
    /// ``metadata(of:needing:)`` stops at the first URL that has a document or fails, unless an endpoint is missing.
    ///
    /// - Parameter resource: The resource that named the issuer, if any: then only hosts that ``reach`` allows receive requests.
    /// - Throws: ``SessionError`` with `.misconfigured` for a string that is not an issuer, `.cancelledByProgram` for a cancelled task.
    package func answers(
        of issuer: String, protecting resource: ProtectedResourceMetadata? = nil
    ) async throws(SessionError) -> [MetadataAnswer] {
        let issuer = try issuer.asIssuer(transport)
        let backChannel = resource.map { strangers($0.resource) } ?? backChannel
        var answers: [MetadataAnswer] = []
        for address in issuer.metadataURLs {
            answers.append(try await answer(of: issuer, at: address, by: backChannel))
        }
        return answers
    }

    private func answer(of issuer: Issuer, at address: String, by backChannel: BackChannel) async throws(SessionError) -> MetadataAnswer {
        do {
            let (head, body) = try await backChannel.get(address)
            do throws(OAuthError) {
                let metadata = try ServerMetadata(head, body: body, of: issuer, at: address)
                return MetadataAnswer(address: address, status: head.status.code, outcome: .found(metadata))
            } catch {
                let none = error.underlying as? NoMetadataDocument
                let outcome: MetadataAnswer.Outcome =
                    if head.status.kind == .redirection {
                        .redirect(to: head.headerFields[.location].map { displayable($0, limit: 500) })
                    } else if none != nil {
                        .nothing
                    } else {
                        .failed(SessionError(error))
                    }
                return MetadataAnswer(address: address, status: head.status.code, outcome: outcome, words: none?.answer)
            }
        } catch {
            guard error.code != .cancelledByProgram else { throw error }
            return MetadataAnswer(address: address, status: nil, outcome: .failed(error))
        }
    }
}
