import AuthHubPrimitives
import HTTPTypes

/// The endpoint that sends the browser to a client to sign in there (OpenID Connect Core 1.0 §4).
struct LoginInitiationEndpoint: Sendable {
    let state: ServerState

    func respond(to request: IncomingRequest) -> Answer {
        guard let parameters = request.queryParameters else { return Pages.unreadable }
        guard let client = parameters["client_id"].flatMap({ state.client(id: $0) }), let url = client.initiateLoginURI else {
            return Pages.cannotBeAnswered("The client is unknown, or has no page to sign in.")
        }
        var response: FormParameters = ["iss": state.issuer]
        for name in ["login_hint", "target_link_uri"] { response.append(name, ifPresent: parameters[name]) }
        return .redirect(to: RedirectURI.adding(response, to: url, mode: .query))
    }
}
