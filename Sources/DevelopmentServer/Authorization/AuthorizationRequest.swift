import AuthHubPrimitives

/// An authorization request that has been judged (RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core 1.0 §3.1.2.1).
struct AuthorizationRequest: Sendable {
    enum ResponseMode: String, Sendable {
        case query, fragment
    }

    let client: DevelopmentAuthorizationServer.Client
    let redirectURI: String
    let redirectURIWasSent: Bool
    let responseMode: ResponseMode
    let scope: [String]
    let state: String?
    let codeChallenge: String?
    let nonce: String?
    let prompt: Set<String>
    let loginHint: String?
}

/// Why there is no authorization request.
enum AuthorizationRequestError: Error, Sendable {
    /// The client or its redirect URI is not known: the person is told, and nothing goes to an address nobody vouches for (RFC 6749 §4.1.2.1).
    case shown(String)
    /// The client is told.
    case sentBack(AuthorizationFailure)
}

/// An error that goes back to the client (RFC 6749 §4.1.2.1).
struct AuthorizationFailure: Sendable {
    let redirectURI: String
    let responseMode: AuthorizationRequest.ResponseMode
    let state: String?
    let error: String
    let description: String
}

extension AuthorizationRequest {
    typealias Client = DevelopmentAuthorizationServer.Client
    typealias Persona = DevelopmentAuthorizationServer.Persona

    init(_ parameters: FormParameters, persona: Persona, clients: [Client]) throws(AuthorizationRequestError) {
        for name in ["client_id", "redirect_uri"] where parameters.values(named: name).count > 1 {
            throw .shown("The request names \(name) twice.")
        }
        guard let clientID = parameters["client_id"], !clientID.isEmpty else { throw .shown("The request names no client_id.") }
        guard let client = clients.first(where: { $0.id == clientID }) else { throw .shown("No client is registered as “\(clientID)”.") }
        let redirectURI = try Self.redirectURI(in: parameters, of: client, persona: persona)

        let state = parameters["state"]
        let mode = ResponseMode(rawValue: parameters["response_mode"] ?? "query")
        func sentBack(_ error: String, _ description: String) -> AuthorizationRequestError {
            .sentBack(
                AuthorizationFailure(
                    redirectURI: redirectURI, responseMode: mode ?? .query, state: state, error: error, description: description))
        }
        guard let mode else { throw sentBack("invalid_request", "This response_mode is not supported.") }
        if let problem = Self.problem(in: parameters, persona: persona) { throw sentBack(problem.error, problem.description) }
        guard parameters["code_challenge"] != nil || client.secret != nil else {
            throw sentBack("invalid_request", "A public client must send a code_challenge.")
        }

        self.client = client
        self.redirectURI = redirectURI
        redirectURIWasSent = parameters["redirect_uri"] != nil
        responseMode = mode
        self.state = state
        scope = Self.scope(in: parameters, of: client, persona: persona)
        codeChallenge = parameters["code_challenge"]
        nonce = parameters["nonce"]
        prompt = Set((parameters["prompt"] ?? "").split(separator: " ").map(String.init))
        loginHint = parameters["login_hint"] ?? parameters["login"]
    }

    private static func redirectURI(
        in parameters: FormParameters, of client: Client, persona: Persona
    ) throws(AuthorizationRequestError) -> String {
        guard let requested = parameters["redirect_uri"] else {
            guard let first = client.redirectURIs.first, persona == .gitHub || client.redirectURIs.count == 1 else {
                throw .shown("The request names no redirect_uri, and “\(client.name)” has more than one.")
            }
            return first
        }
        guard RedirectURI.matches(requested, registered: client.redirectURIs) else {
            throw .shown("The redirect_uri “\(requested)” is not registered for “\(client.name)”.")
        }
        return requested
    }

    private static func problem(in parameters: FormParameters, persona: Persona) -> (error: String, description: String)? {
        let names = parameters.parameters.map(\.name)
        if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
            return ("invalid_request", "The parameter \(name) occurs twice.")
        }
        if let challenge = parameters["code_challenge"] {
            guard parameters["code_challenge_method"] == "S256" else {
                return ("invalid_request", "The code_challenge_method must be S256.")
            }
            guard challenge.utf8.count == 43, Base64URL.decode(challenge) != nil else {
                return ("invalid_request", "The code_challenge is not a SHA-256 hash in base64url.")
            }
        }
        return persona == .openID ? openIDProblem(in: parameters) : nil
    }

    /// GitHub looks at none of these.
    private static func openIDProblem(in parameters: FormParameters) -> (error: String, description: String)? {
        guard let responseType = parameters["response_type"] else { return ("invalid_request", "The response_type is missing.") }
        guard responseType == "code" else { return ("unsupported_response_type", "Only the response_type code is supported.") }
        if parameters["request"] != nil { return ("request_not_supported", "Signed requests are not supported.") }
        if parameters["request_uri"] != nil { return ("request_uri_not_supported", "Requests by reference are not supported.") }
        let scopes = (parameters["scope"] ?? "").split(separator: " ").map(String.init)
        if let unknown = scopes.first(where: { !Persona.openID.scopes.contains($0) }) {
            return ("invalid_scope", "The scope \(unknown.filter(\.isPrintableASCII)) is not known.")
        }
        let prompt = (parameters["prompt"] ?? "").split(separator: " ")
        if prompt.contains("none"), prompt.count > 1 { return ("invalid_request", "The prompt none stands alone.") }
        return nil
    }

    /// GitHub takes commas for spaces, leaves out what it does not know, and gives a GitHub App permissions in place of scopes.
    private static func scope(in parameters: FormParameters, of client: Client, persona: Persona) -> [String] {
        let requested = (parameters["scope"] ?? "").split { $0 == " " || (persona == .gitHub && $0 == ",") }.map(String.init)
        var scope: [String] = []
        for name in requested where persona.scopes.contains(name) && !scope.contains(name) { scope.append(name) }
        return persona == .gitHub && client.kind == .gitHubApp ? [] : scope
    }
}

extension Character {
    /// What an error description may hold (RFC 6749 §4.1.2.1).
    fileprivate var isPrintableASCII: Bool {
        asciiValue.map { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") } ?? false
    }
}
