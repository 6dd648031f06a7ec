import AuthHubPrimitives
import HTTPTypes
import Synchronization

/// GitHub's revocation endpoint: `DELETE /applications/{client_id}/token` for one token, `…/grant` for all that descend from one consent.
struct GitHubApplicationEndpoint: Sendable {
    let state: ServerState

    func revokeToken(_ request: IncomingRequest) -> Answer {
        revoke(request) { ledger, token in ledger.revoke(token) }
    }

    func revokeGrant(_ request: IncomingRequest) -> Answer {
        revoke(request) { ledger, token in
            ledger.revokeGrant(ofAccessToken: token)
        } also: { grant in
            state.sessions.withLock { $0.forgetAgreement(userID: grant.userID, clientID: grant.clientID) }
        }
    }

    private func revoke(
        _ request: IncomingRequest,
        _ revoke: (inout GrantLedger, String) -> Bool, also: (AuthorizationGrant) -> Void = { _ in }
    ) -> Answer {
        let clientID = request.path.split(separator: "/").dropLast().last.map(String.init)
        guard let basic = request.basicCredentials, let client = state.client(id: basic.name), client.id == clientID,
            client.secret == Secret(basic.password)
        else { return GitHubAnswer.error("Bad credentials", status: .unauthorized) }
        guard let token = request.json?["access_token"]?.string, !token.isEmpty else {
            return GitHubAnswer.error("Validation Failed", status: .unprocessableContent)
        }
        let outcome = state.grants.withLock { ledger -> (revokedFamily: Bool, grant: AuthorizationGrant)? in
            guard let holder = ledger.holder(ofAccessToken: token, at: state.now), holder.grant.clientID == client.id else { return nil }
            return (revoke(&ledger, token), holder.grant)
        }
        guard let outcome else { return GitHubAnswer.error("Not Found", status: .notFound) }
        state.log.noteRevocation(revokedFamily: outcome.revokedFamily)
        also(outcome.grant)
        return Answer(status: .noContent)
    }
}
