import AuthHubPrimitives
import HTTPTypes
public import OAuthProtocol

/// What was answered at one of the addresses where an issuer's metadata may lie.
public struct MetadataAnswer: Sendable {
    /// What came of asking there.
    public enum Outcome: Sendable {
        case found(ServerMetadata)
        /// Nothing is there (404 or 410).
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
    /// ``metadata(of:habits:)`` stops at the first of them that answers with anything but that nothing is there.
    ///
    /// - Throws: ``SessionError`` with `.misconfigured` for what is no issuer, `.cancelledByProgram` for a cancelled task.
    public func answers(of issuer: String) async throws(SessionError) -> [MetadataAnswer] {
        let issuer = try issuer.asIssuer(transport)
        var answers: [MetadataAnswer] = []
        for address in issuer.metadataAddresses {
            answers.append(try await answer(of: issuer, at: address))
        }
        return answers
    }

    private func answer(of issuer: Issuer, at address: String) async throws(SessionError) -> MetadataAnswer {
        do {
            let (head, body) = try await backChannel.get(address)
            let outcome: MetadataAnswer.Outcome
            if [404, 410].contains(head.status.code) {
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
