import AuthHubPrimitives
import HTTPTypes
import Synchronization

/// The page that leads the user from the code on their device to a decision (RFC 8628 §3.3).
///
/// The code stays in the query of every page's URL, so that the only state between pages is who is signed in.
struct DevicePage: Sendable {
    let state: ServerState
    let quirks: Persona.DeviceQuirks

    var confirmPath: String { quirks.pagePath + "/confirm" }
    var sessionPath: String { quirks.pagePath + "/session" }
    var consentPath: String { quirks.pagePath + "/consent" }

    /// Asks for the code, which may be in the URL already.
    func begin(_ request: IncomingRequest) -> Answer {
        guard let parameters = request.queryParameters else { return Pages.unreadable }
        return codePage(parameters["user_code"] ?? "", problem: nil)
    }

    /// Handles an entered code; a user who is not signed in does so first.
    func confirm(_ request: IncomingRequest) -> Answer {
        withCode(request) { device, client in
            let endpoint = AuthorizationEndpoint(state: state)
            let session = endpoint.session(of: request) ?? endpoint.newSession()
            guard let signIn = session.session.signIn, let user = state.user(id: signIn.userID) else {
                return signInPage(for: device, client, session, login: "", problem: nil)
            }
            return Pages.deviceConsent(
                for: client.name, userName: user.name, scope: device.scope, userCode: device.userCode,
                action: address(of: consentPath, device), formToken: session.session.formToken
            ).answer()
        }
    }

    /// Handles a submitted sign-in form.
    func signIn(_ request: IncomingRequest) -> Answer {
        withForm(request) { device, client, form, session in
            let login = form["username"] ?? ""
            let password = Secret(form["password"] ?? "")
            guard let user = state.configuration.users.first(where: { $0.login == login }), user.password == password else {
                return signInPage(for: device, client, session, login: login, problem: "Wrong username or password.")
            }
            let id = state.sessions.withLock { $0.signIn(userID: user.id, replacing: session.id, at: state.now) }
            var answer = Answer.redirect(to: address(of: confirmPath, device))
            AuthorizationEndpoint(state: state).setCookie(id, in: &answer)
            return answer
        }
    }

    /// Handles the user's decision.
    func decide(_ request: IncomingRequest) -> Answer {
        withForm(request) { device, client, form, session in
            guard let signIn = session.session.signIn else { return signInPage(for: device, client, session, login: "", problem: nil) }
            let isAllowed = form["decision"] == "allow"
            let grant = AuthorizationGrant(
                clientID: client.id, userID: signIn.userID, scope: device.scope, nonce: nil, authenticatedAt: signIn.at,
                sessionID: signIn.sessionID, contextClass: state.contextClass(requested: []),
                mayBeRefreshed: state.persona.mayBeRefreshed(device.scope, of: client), isFromDevice: true, resources: device.resources,
                details: device.details)
            guard state.devices.withLock({ $0.decide(userCode: device.userCode, isAllowed ? grant : nil, at: state.now) }) else {
                return codePage(device.userCode, problem: Self.unknownCode)
            }
            return isAllowed
                ? Pages.message(title: "Your device is signed in", "You can close this page and return to your device.").answer()
                : Pages.message(title: "Access was denied", "The device was not given access. You can close this page.").answer()
        }
    }
}

extension DevicePage {
    private typealias OpenSession = AuthorizationEndpoint.OpenSession

    private static let unknownCode = "No device is waiting with this code. It was mistyped, has already been used, or has expired."

    private func withCode(
        _ request: IncomingRequest, _ body: (DeviceLedger.Request, DevelopmentClient) -> Answer
    ) -> Answer {
        guard let parameters = request.queryParameters else { return Pages.unreadable }
        let userCode = parameters["user_code"] ?? ""
        guard let device = state.devices.withLock({ $0.request(userCode: userCode, at: state.now) }),
            let client = state.client(id: device.clientID)
        else { return codePage(userCode, problem: Self.unknownCode) }
        return body(device, client)
    }

    /// Reads a form of this server's own pages; a form that does not belong to this browser's session is rejected.
    private func withForm(
        _ request: IncomingRequest,
        _ body: (DeviceLedger.Request, DevelopmentClient, FormParameters, OpenSession) -> Answer
    ) -> Answer {
        withCode(request) { device, client in
            guard let form = request.form, let session = AuthorizationEndpoint(state: state).session(of: request),
                let token = form["form_token"], session.session.formToken == Secret(token)
            else { return Pages.tooOld }
            return body(device, client, form, session)
        }
    }

    private func codePage(_ userCode: String, problem: String?) -> Answer {
        Pages.deviceCode(action: confirmPath, userCode: userCode, problem: problem).answer(status: problem == nil ? .ok : .badRequest)
    }

    private func signInPage(
        for device: DeviceLedger.Request, _ client: DevelopmentClient, _ session: OpenSession, login: String,
        problem: String?
    ) -> Answer {
        var answer = Pages.signIn(
            to: client.name, action: address(of: sessionPath, device), formToken: session.session.formToken, login: login,
            problem: problem, logins: state.configuration.users.map(\.login), formTargets: []
        ).answer()
        if session.isNew { AuthorizationEndpoint(state: state).setCookie(session.id, in: &answer) }
        return answer
    }

    private func address(of path: String, _ device: DeviceLedger.Request) -> String {
        path + "?user_code=" + FormParameters.encode(device.userCode)
    }
}
