import AuthHubPrimitives
import HTTPTypes
import Synchronization

/// The authorization endpoint, which leads the user through sign-in and consent, and redirects them to the client (RFC 6749 §3.1).
///
/// The authorization request stays in the query of every page's URL and is validated each time, so that the only state between pages is who
/// is signed in.
struct AuthorizationEndpoint: Sendable {
    let state: ServerState
    private var quirks: Persona.AuthorizationQuirks { state.persona.authorization }

    /// Begins a sign-in. OpenID Connect Core 1.0 §3.1.2.1: the request may be sent as a query or as a form.
    func begin(_ request: IncomingRequest) -> Answer {
        guard let parameters = request.method == .post ? request.form : request.queryParameters else { return Pages.unreadable }
        return withAuthorizationRequest(parameters) { authorization in
            next(for: authorization, parameters, session: session(of: request))
        }
    }

    /// Handles a submitted sign-in form.
    func signIn(_ request: IncomingRequest) -> Answer {
        withForm(request) { authorization, parameters, form, session in
            let login = form["username"] ?? ""
            let password = Secret(form["password"] ?? "")
            guard let user = state.configuration.users.first(where: { $0.login == login }), user.password == password else {
                return signInPage(for: authorization, parameters, session, login: login, problem: "Wrong username or password.")
            }
            let id = state.sessions.withLock { $0.signIn(userID: user.id, replacing: session.id, at: state.now) }
            if let reference = authorization.reference {
                state.pushed.withLock { $0.update(reference, Self.withoutLoginPrompt) }
            }
            var answer = Answer.redirect(to: state.persona.addresses.authorization + "?" + Self.withoutLoginPrompt(parameters).encoded())
            setCookie(id, in: &answer)
            return answer
        }
    }

    /// Handles a submitted consent form.
    func decide(_ request: IncomingRequest) -> Answer {
        withForm(request) { authorization, parameters, form, session in
            guard let signIn = session.session.signIn, let user = state.user(id: signIn.userID) else {
                return signInPage(for: authorization, parameters, session, login: "", problem: nil)
            }
            guard form["decision"] == "allow" else {
                state.usedUp(authorization)
                return sendBack(failure(of: authorization, "access_denied", "The user has denied your application access."))
            }
            state.sessions.withLock { $0.remember(userID: user.id, agreedTo: authorization.scope, for: authorization.client.id) }
            return sendResponse(to: authorization, signIn)
        }
    }
}

// MARK: - Steps

extension AuthorizationEndpoint {
    typealias OpenSession = (id: String, session: SessionBook.Session, isNew: Bool)

    private func next(
        for authorization: AuthorizationRequest, _ parameters: FormParameters, session: OpenSession?
    ) -> Answer {
        let signIn = session?.session.signIn.flatMap { authorization.accepts($0, at: state.now) ? $0 : nil }
        if authorization.prompt.contains("none") {
            guard let signIn else {
                return sendBack(failure(of: authorization, "login_required", "No one is signed in, or the sign-in was too long ago."))
            }
            guard hasAgreed(signIn, to: authorization) else {
                return sendBack(failure(of: authorization, "consent_required", "The user has not agreed yet."))
            }
            return sendResponse(to: authorization, signIn)
        }
        let session = session ?? newSession()
        guard let signIn, let user = state.user(id: signIn.userID), authorization.prompt.isDisjoint(with: ["login", "select_account"])
        else {
            return signInPage(for: authorization, parameters, session, login: authorization.loginHint ?? "", problem: nil)
        }
        if hasAgreed(signIn, to: authorization), !authorization.prompt.contains("consent") {
            return sendResponse(to: authorization, signIn)
        }
        return Pages.consent(
            for: authorization.client.name, userName: user.name, scope: authorization.scope,
            action: "/consent?" + parameters.encoded(), formToken: session.session.formToken, redirectURI: authorization.redirectURI,
            formTargets: formTargets(of: authorization)
        ).answer()
    }

    private func signInPage(
        for authorization: AuthorizationRequest, _ parameters: FormParameters, _ session: OpenSession, login: String, problem: String?
    ) -> Answer {
        var answer = Pages.signIn(
            to: authorization.client.name, action: "/session?" + parameters.encoded(), formToken: session.session.formToken, login: login,
            problem: problem, logins: state.configuration.users.map(\.login), formTargets: formTargets(of: authorization)
        ).answer()
        if session.isNew { setCookie(session.id, in: &answer) }
        return answer
    }

    private func sendResponse(to authorization: AuthorizationRequest, _ signIn: SessionBook.SignIn) -> Answer {
        state.sessions.withLock { $0.remember(authorization.client.id, in: signIn) }
        let grant = AuthorizationGrant(
            clientID: authorization.client.id, userID: signIn.userID, scope: authorization.scope, nonce: authorization.nonce,
            authenticatedAt: signIn.at, sessionID: signIn.sessionID,
            contextClass: state.contextClass(requested: authorization.contextClasses), mayBeRefreshed: authorization.mayBeRefreshed,
            resources: authorization.resources, details: authorization.details.map(state.persona.granting),
            requestedClaims: authorization.requestedClaims)
        let types = authorization.responseTypes
        if state.openIDConnect.withLock({ $0.keyRotation }) == .atAuthorization { state.rotateKeys() }
        let code = types.contains("code") ? issueCode(for: authorization, grant) : nil
        let tokens = types.contains("token") ? issueToken(for: authorization, grant) : nil
        state.usedUp(authorization)
        var response = FormParameters()
        response.append("code", ifPresent: code)
        if let tokens {
            response.append("access_token", tokens.accessToken)
            response.append("token_type", ifPresent: state.persona.tokenAnswers.tokenType)
            response.append("expires_in", ifPresent: tokens.accessTokenLifetime.map { String($0.components.seconds) })
        }
        if types.contains("id_token") {
            let hashed = IDTokenContents(
                accessToken: tokens?.accessToken, code: code, state: code == nil ? nil : authorization.state,
                hasUserClaims: types == ["id_token"])
            response.append("id_token", ifPresent: state.idToken(for: grant, with: hashed))
        }
        if types != ["token"] || state.persona.implicit?.echoesState == true { response.append("state", ifPresent: authorization.state) }
        if quirks.namesGrantedScope, code != nil { response.append("scope", authorization.scope.joined(separator: ",")) }
        if quirks.namesIssuer { response.append("iss", state.issuer + quirks.issuerPath) }
        if quirks.describesUserOnce { response.append("user", ifPresent: state.firstDescription(of: signIn.userID, to: authorization)) }
        var answer = CallbackParts(
            parameters: response, redirectURI: authorization.redirectURI, mode: authorization.responseMode
        ).answer
        answer.sealIDToken = state.idTokenSeal(for: authorization.client.id)
        return answer
    }

    private func issueCode(for authorization: AuthorizationRequest, _ grant: AuthorizationGrant) -> String {
        let binding = CodeBinding(
            redirectURI: authorization.redirectURI, redirectURIWasSent: authorization.redirectURIWasSent,
            codeChallenge: authorization.codeChallenge, quirks: quirks)
        return state.grants.withLock {
            $0.issueCode(for: grant, bound: binding, lifetime: state.configuration.lifetimes.code, at: state.now)
        }
    }

    /// Returns the token for the redirect, which cannot be refreshed (RFC 6749 §4.2.2).
    private func issueToken(for authorization: AuthorizationRequest, _ grant: AuthorizationGrant) -> IssuedTokens {
        var style = TokenStyle(state.persona.tokens(for: authorization.client), lifetimes: state.configuration.lifetimes)
        style.refreshTokenLifetime = nil
        return state.grants.withLock { [style] in $0.issue(for: grant, style: style, at: state.now) }
    }

    private func sendBack(_ failure: AuthorizationFailure) -> Answer {
        var response: FormParameters = ["error": failure.error, "error_description": failure.description]
        if let pages = quirks.errorPages { response.append("error_uri", pages + failure.error.replacing("_", with: "-")) }
        response.append("state", ifPresent: failure.state)
        if quirks.namesIssuer { response.append("iss", state.issuer + quirks.issuerPath) }
        return CallbackParts(parameters: response, redirectURI: failure.redirectURI, mode: failure.responseMode).answer
    }

    private func failure(of authorization: AuthorizationRequest, _ error: String, _ description: String) -> AuthorizationFailure {
        AuthorizationFailure(
            redirectURI: authorization.redirectURI, responseMode: authorization.responseMode, state: authorization.state, error: error,
            description: description)
    }

    private func hasAgreed(_ signIn: SessionBook.SignIn, to authorization: AuthorizationRequest) -> Bool {
        state.sessions.withLock { $0.hasAgreed(userID: signIn.userID, to: authorization.scope, for: authorization.client.id) }
    }
}

// MARK: - Requests, sessions, cookies

extension AuthorizationEndpoint {
    private func withAuthorizationRequest(_ parameters: FormParameters, _ body: (AuthorizationRequest) -> Answer) -> Answer {
        do throws(AuthorizationRequestError) {
            return body(try state.authorizationRequest(parameters))
        } catch {
            switch error {
            case .shown(let reason): return Pages.cannotBeAnswered(reason)
            case .sentBack(let failure): return sendBack(failure)
            }
        }
    }

    /// Reads a form of this server's own pages; a form that does not belong to this browser's session is rejected.
    private func withForm(
        _ request: IncomingRequest, _ body: (AuthorizationRequest, FormParameters, FormParameters, OpenSession) -> Answer
    ) -> Answer {
        guard let parameters = request.queryParameters, let form = request.form else { return Pages.unreadable }
        return withAuthorizationRequest(parameters) { authorization in
            guard let session = session(of: request), let token = form["form_token"], session.session.formToken == Secret(token) else {
                return Pages.tooOld
            }
            return body(authorization, parameters, form, session)
        }
    }

    func session(of request: IncomingRequest) -> OpenSession? {
        guard let id = request.cookie(named: state.sessionCookie), let session = state.sessions.withLock({ $0[id] }) else { return nil }
        return (id, session, false)
    }

    func newSession() -> OpenSession {
        let (id, session) = state.sessions.withLock { $0.open() }
        return (id, session, true)
    }

    func setCookie(_ id: String, in answer: inout Answer) {
        answer.headers[.setCookie] = "\(state.sessionCookie)=\(id); Path=/; HttpOnly; SameSite=Lax"
    }

    private func formTargets(of authorization: AuthorizationRequest) -> [String] {
        RedirectURI.policySource(of: authorization.redirectURI).map { [$0] } ?? []
    }

    /// Removes the request for a new sign-in, which is fulfilled after the user has signed in.
    private static func withoutLoginPrompt(_ parameters: FormParameters) -> FormParameters {
        FormParameters(
            parameters.parameters.compactMap { parameter in
                guard parameter.name != "max_age" else { return nil }
                guard parameter.name == "prompt" else { return parameter }
                let rest = parameter.value.split(separator: " ").filter { $0 != "login" && $0 != "select_account" }
                return rest.isEmpty ? nil : FormParameters.Parameter(name: "prompt", value: rest.joined(separator: " "))
            })
    }
}
