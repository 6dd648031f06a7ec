import AuthHubPrimitives
import HTTPTypes
import Synchronization

/// The endpoint that signs a user out of the server at a client's request (OpenID Connect RP-Initiated Logout 1.0).
struct EndSessionEndpoint: Sendable {
    let state: ServerState

    /// Signs the user out immediately if an ID token shows that the client means the current user; otherwise asks (§2).
    func begin(_ request: IncomingRequest) -> Answer {
        guard let parameters = request.method == .post ? request.form : request.queryParameters else { return Pages.unreadable }
        let target: String?
        switch returnTarget(parameters) {
        case .success(let address): target = address
        case .failure(let problem):
            return Pages.cannotBeAnswered(problem.reason)
        }
        guard let id = request.cookie(named: state.sessionCookie), let session = state.sessions.withLock({ $0[id] }),
            let signIn = session.signIn
        else { return finish(target) }
        if let hint = parameters["id_token_hint"], state.claims(ofToken: hint)?["sub"]?.string == String(signIn.userID) {
            return close(id, signIn, target)
        }
        let formTargets = parameters["post_logout_redirect_uri"].flatMap { RedirectURI.policySource(of: $0) }.map { [$0] } ?? []
        return Pages.signOut(
            action: "/logout/confirm?" + parameters.encoded(), formToken: session.formToken, formTargets: formTargets
        ).answer()
    }

    /// Handles the user's confirmation.
    func confirm(_ request: IncomingRequest) -> Answer {
        guard let parameters = request.queryParameters, let form = request.form, let id = request.cookie(named: state.sessionCookie),
            let session = state.sessions.withLock({ $0[id] }), let token = form["form_token"], session.formToken == Secret(token),
            let signIn = session.signIn, case .success(let target) = returnTarget(parameters)
        else {
            return Pages.tooOld
        }
        return close(id, signIn, target)
    }

    private struct Problem: Error {
        let reason: String
    }

    /// Returns the URL to redirect to, which the client must have registered (§3).
    private func returnTarget(_ parameters: FormParameters) -> Result<String?, Problem> {
        guard let address = parameters["post_logout_redirect_uri"] else { return .success(nil) }
        let hinted = parameters["id_token_hint"].flatMap { state.claims(ofToken: $0)?["aud"]?.string }
        guard let clientID = hinted ?? parameters["client_id"], parameters["client_id"].map({ $0 == clientID }) ?? true,
            let client = state.client(id: clientID),
            RedirectURI.matches(address, registered: client.postLogoutRedirectURIs ?? client.redirectURIs)
        else { return .failure(Problem(reason: "The post_logout_redirect_uri is not registered for this client.")) }
        var response = FormParameters()
        response.append("state", ifPresent: parameters["state"])
        return .success(response.parameters.isEmpty ? address : RedirectURI.adding(response, to: address, mode: .query))
    }

    /// Ends the session and notifies the user's clients.
    private func close(_ id: String, _ signIn: SessionBook.SignIn, _ target: String?) -> Answer {
        state.sessions.withLock { $0.close(id) }
        let messages = LogoutMessages(state: state, signIn: signIn)
        let frames = messages.frames
        var answer = frames.isEmpty ? finish(target) : Pages.signedOut(loading: frames, continuingAt: target).answer()
        answer.forms = messages.forms
        answer.headers[.setCookie] = "\(state.sessionCookie)=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"
        return answer
    }

    private func finish(_ target: String?) -> Answer {
        target.map { .redirect(to: $0) } ?? Pages.message(title: "Signed out", "You can close this page.").answer()
    }
}
