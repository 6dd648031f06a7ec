import AuthHubPrimitives
import HTTPTypes
import Synchronization

/// The endpoint that revokes tokens (RFC 7009).
struct RevocationEndpoint: Sendable {
    let state: ServerState

    func respond(to request: IncomingRequest) -> Answer {
        do throws(TokenError) {
            guard let form = state.parameters(of: request, encodedAs: state.persona.tokenRequests.encodings.union([.form])),
                let token = form["token"]
            else {
                throw TokenError(code: .invalidRequest, description: "The token is missing.")
            }
            let client: DevelopmentClient
            do throws(ClientAuthenticationError) {
                client = try state.authenticateClient(of: request, form: form)
            } catch {
                throw TokenError(error)
            }
            let outcome = state.grants.withLock { ledger -> Bool? in
                guard let owner = ledger.clientID(ofToken: token) else { return false }
                return owner == client.id ? ledger.revoke(token) : nil
            }
            guard let revokedFamily = outcome else {
                throw TokenError(code: .invalidGrant, description: "The token was issued to another client.")
            }
            state.log.noteRevocation(revokedFamily: revokedFamily)
            return Answer(status: .ok).notStored()
        } catch {
            return error.answer(from: state, to: request)
        }
    }

    /// Handles a token that revokes itself.
    func respondToToken(_ request: IncomingRequest) -> Answer {
        switch state.authorizeResource(request) {
        case .failure(let refusal): return refusal.answer
        case .success:
            let token = request.bearerToken ?? ""
            let revokedFamily = state.grants.withLock { $0.revokeGrant(ofAccessToken: token) }
            state.log.noteRevocation(revokedFamily: revokedFamily)
            return Answer.json(["ok": true]).notStored()
        }
    }
}
