import AuthHubPrimitives
import HTTPTypes
public import OAuthProtocol

/// What was answered at one of the addresses where an issuer's metadata may lie.
public struct MetadataAnswer: Sendable {
    /// What came of asking there.
    public enum Outcome: Sendable {
        case found(ServerMetadata)
        /// Nothing is there: a status of 4xx other than 429.
        case nothing
        /// Where to, cleaned for display; nil where that is not said.
        case redirect(to: String?)
        case failed(SessionError)
    }

    /// The URL that was asked.
    public let address: String
    /// nil where no answer came.
    public let status: Int?
    /// What came of it.
    public let outcome: Outcome
}

extension ServerDiscovery {
    /// Asks all addresses where an issuer's metadata may lie, one after the other, past the cache: to look at a server, not to use it.
    ///
    /// ``metadata(of:quirks:needing:)`` stops at the first URL that has a document or fails, unless an endpoint is missing.
    ///
    /// - Parameter resource: The resource that named the issuer, if any: then only hosts that ``reach`` allows receive requests.
    /// - Throws: ``SessionError`` with `.misconfigured` for what is no issuer, `.cancelledByProgram` for a cancelled task.
    public func answers(
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
            let outcome: MetadataAnswer.Outcome
            if head.status.saysNothingIsThere {
                outcome = .nothing
            } else if head.status.kind == .redirection {
                outcome = .redirect(to: head.headerFields[.location].map { displayable($0, limit: 500) })
            } else {
                do throws(OAuthError) {
                    outcome = .found(try ServerMetadata(head, body: body, of: issuer))
                } catch {
                    outcome = .failed(SessionError(error))
                }
            }
            return MetadataAnswer(address: address, status: head.status.code, outcome: outcome)
        } catch {
            guard error.code != .cancelledByProgram else { throw error }
            return MetadataAnswer(address: address, status: nil, outcome: .failed(error))
        }
    }
}
