import AuthHubPrimitives

/// A validated authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core 1.0 §3.1.2.1).
struct AuthorizationRequest: Sendable {
    let client: DevelopmentClient
    let redirectURI: String
    let redirectURIWasSent: Bool
    let responseMode: ResponseMode
    /// The requested response types: any of `code`, `token` and `id_token` (OpenID Connect Core 1.0 §3).
    let responseTypes: Set<String>
    let scope: [String]
    let state: String?
    let codeChallenge: String?
    /// Whether refresh tokens may be issued for it.
    let mayBeRefreshed: Bool
    let nonce: String?
    let prompt: Set<String>
    /// The maximum time since the user signed in, in seconds.
    let maximumAge: Int64?
    /// The requested authentication context classes, in order of preference.
    let contextClasses: [String]
    let loginHint: String?
    let resources: [String]
    let details: JSONValue?
    /// The claims to put into the ID token (OpenID Connect Core 1.0 §5.5).
    let requestedClaims: [String]
    /// The reference under which it was pushed.
    var reference: String?
}

/// The reason why there is no valid authorization request.
enum AuthorizationRequestError: Error, Sendable {
    /// The client or its redirect URI is unknown: the user sees the error, and nothing is sent to an unverified URL (RFC 6749 §4.1.2.1).
    case shown(String)
    /// The error is sent to the client.
    case sentBack(AuthorizationFailure)
}

/// An error that is sent to the client (RFC 6749 §4.1.2.1).
struct AuthorizationFailure: Sendable {
    let redirectURI: String
    let responseMode: ResponseMode
    let state: String?
    let error: String
    let description: String
}

extension AuthorizationRequest {
    init(_ parameters: FormParameters, persona: Persona, client find: (String) -> DevelopmentClient?) throws(AuthorizationRequestError) {
        let quirks = persona.authorization
        for name in [quirks.clientIDName, "redirect_uri"] where parameters.values(named: name).count > 1 {
            throw .shown("The request contains \(name) twice.")
        }
        guard let clientID = parameters[quirks.clientIDName], !clientID.isEmpty else {
            throw .shown("The request has no \(quirks.clientIDName).")
        }
        guard let client = find(clientID) else { throw .shown("No client is registered as “\(clientID)”.") }
        let redirectURI = try Self.redirectURI(in: parameters, of: client, quirks)

        let state = parameters["state"]
        let types = Self.responseTypes(in: parameters, persona: persona)
        let mode = ResponseMode(rawValue: parameters["response_mode"] ?? (types == ["code"] ? "query" : "fragment"))
        func sentBack(_ error: String, _ description: String) -> AuthorizationRequestError {
            .sentBack(
                AuthorizationFailure(
                    redirectURI: redirectURI, responseMode: mode ?? .query, state: state, error: error, description: description))
        }
        guard let mode, mode != .query || types == ["code"] else {
            throw sentBack("invalid_request", "This response_mode is not supported.")
        }
        if let problem = Self.problem(in: parameters, of: client, persona: persona) { throw sentBack(problem.error, problem.description) }

        self.client = client
        self.redirectURI = redirectURI
        redirectURIWasSent = parameters["redirect_uri"] != nil
        responseMode = mode
        responseTypes = types
        self.state = state
        scope = Self.scope(in: parameters, of: client, persona: persona)
        codeChallenge = parameters["code_challenge"]
        mayBeRefreshed =
            switch persona.tokens(for: client).refreshTokens {
            case .always: true
            case .never: false
            case .forParameter(let name, let value): parameters[name] == value
            case .forScope(let name): scope.contains(name)
            }
        nonce = parameters["nonce"]
        prompt = Set((parameters["prompt"] ?? "").split(separator: " ").map(String.init))
        maximumAge = parameters["max_age"].flatMap { Int64($0) }
        contextClasses = (parameters["acr_values"] ?? "").split(separator: " ").map(String.init)
        resources = parameters.values(named: "resource")
        details = parameters["authorization_details"].flatMap { try? JSONValue(strict: Array($0.utf8)) }
        let claims = parameters["claims"].flatMap { try? JSONValue(strict: Array($0.utf8)) }
        requestedClaims = claims?["id_token"]?.object?.members.map(\.name) ?? []
        loginHint = parameters["login_hint"] ?? parameters["login"]
    }

    private static func redirectURI(
        in parameters: FormParameters, of client: DevelopmentClient, _ quirks: Persona.AuthorizationQuirks
    ) throws(AuthorizationRequestError) -> String {
        guard let requested = parameters["redirect_uri"] else {
            guard let first = client.redirectURIs.first, quirks.redirectURIMayBeLeftOut || client.redirectURIs.count == 1 else {
                throw .shown("The request has no redirect_uri, and “\(client.name)” has several to choose from.")
            }
            return first
        }
        guard !quirks.refusesLocalhost || Origin(url: requested)?.host != "localhost",
            RedirectURI.matches(requested, registered: client.redirectURIs)
        else {
            throw .shown("The redirect_uri “\(requested)” is not registered for “\(client.name)”.")
        }
        return requested
    }

    private static func problem(
        in parameters: FormParameters, of client: DevelopmentClient, persona: Persona
    ) -> (error: String, description: String)? {
        let quirks = persona.authorization
        let names = parameters.parameters.map(\.name).filter { $0 != "resource" }
        if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
            return ("invalid_request", "The parameter \(name) occurs twice.")
        }
        if let demand = quirks.requiredParameters.parameters.first(where: { parameters[$0.name] != $0.value }) {
            return ("invalid_request", "The parameter \(demand.name) must be \(demand.value).")
        }
        if quirks.requiresFormForScopes, parameters[quirks.scopeName] != nil, parameters["response_mode"] != "form_post" {
            return ("invalid_request", "The response_mode must be form_post if a scope is requested.")
        }
        let hasCode = responseTypes(in: parameters, persona: persona).contains("code")
        return (hasCode || persona.implicit != nil ? challengeProblem(in: parameters, of: client, quirks) : nil)
            ?? (quirks.validatesRequests ? openIDProblem(in: parameters, persona) : nil)
            ?? scopeProblem(in: parameters, persona: persona) ?? targetProblem(in: parameters, persona: persona)
    }

    private static func challengeProblem(
        in parameters: FormParameters, of client: DevelopmentClient, _ quirks: Persona.AuthorizationQuirks
    ) -> (error: String, description: String)? {
        guard [.checked, .required].contains(quirks.codeChallenge) else { return nil }
        guard let challenge = parameters["code_challenge"] else {
            guard quirks.codeChallenge == .required || !client.isConfidential else { return nil }
            return ("invalid_request", "A public client must send a code_challenge.")
        }
        guard parameters["code_challenge_method"] == "S256" else {
            return ("invalid_request", "The code_challenge_method must be S256.")
        }
        switch quirks.challengeEncoding {
        case .base64URL:
            guard challenge.utf8.count == 43, Base64URL.decode(challenge) != nil else {
                return ("invalid_request", "The code_challenge is not a SHA-256 hash in base64url.")
            }
        case .hex:
            guard challenge.utf8.count == 64, challenge.allSatisfy({ $0.isASCII && $0.isHexDigit && !$0.isUppercase }) else {
                return ("invalid_request", "The code_challenge is not a SHA-256 hash in hexadecimal digits.")
            }
        }
        return nil
    }

    private static func openIDProblem(in parameters: FormParameters, _ persona: Persona) -> (error: String, description: String)? {
        guard let responseType = parameters["response_type"] else { return ("invalid_request", "The response_type is missing.") }
        guard persona.supportsResponseTypes(Self.types(responseType)) else {
            return ("unsupported_response_type", "This response_type is not supported.")
        }
        if Self.types(responseType).contains("id_token"), let problem = idTokenProblem(in: parameters, persona) { return problem }
        if parameters["request"] != nil { return ("request_not_supported", "Signed requests are not supported.") }
        if parameters["request_uri"] != nil { return ("request_uri_not_supported", "Requests by reference are not supported.") }
        let prompt = (parameters["prompt"] ?? "").split(separator: " ")
        if prompt.contains("none"), prompt.count > 1 {
            return ("invalid_request", "The prompt value none cannot be combined with other values.")
        }
        if let age = parameters["max_age"], Int64(age).map({ $0 < 0 }) ?? true {
            return ("invalid_request", "The max_age is not a number of seconds.")
        }
        return nil
    }

    /// OpenID Connect Core 1.0 §3.2.2.1, §3.3.2.1.
    private static func idTokenProblem(in parameters: FormParameters, _ persona: Persona) -> (error: String, description: String)? {
        guard requestedScopes(in: parameters, persona.authorization).contains("openid") else {
            return ("invalid_request", "An ID token is requested without the scope openid.")
        }
        guard parameters["nonce"].map({ !$0.isEmpty }) ?? false else {
            return ("invalid_request", "A request for an ID token in the callback must have a nonce.")
        }
        return nil
    }

    private static func types(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    /// Returns the requested response types; only `code` if the persona does not support the requested ones, or if there are none.
    private static func responseTypes(in parameters: FormParameters, persona: Persona) -> Set<String> {
        let types = types(parameters["response_type"] ?? "code")
        return persona.supportsResponseTypes(types) ? types : ["code"]
    }

    private static func scopeProblem(in parameters: FormParameters, persona: Persona) -> (error: String, description: String)? {
        guard let unknown = unknownScope(in: parameters, persona: persona) else { return nil }
        return ("invalid_scope", "The scope \(unknown.filter(\.isPrintableASCII)) is unknown.")
    }

    /// Returns the first scope that the persona rejects.
    static func unknownScope(in parameters: FormParameters, persona: Persona) -> String? {
        guard persona.authorization.refusesUnknownScopes else { return nil }
        return requestedScopes(in: parameters, persona.authorization).first { !persona.scopes.contains($0) }
    }

    private static func requestedScopes(in parameters: FormParameters, _ quirks: Persona.AuthorizationQuirks) -> [String] {
        (parameters[quirks.scopeName] ?? "").split { quirks.scopeSeparators.contains($0) }.map(String.init)
    }

    /// Returns the supported scopes. Unknown ones are omitted, and a GitHub App has permissions instead of scopes.
    static func scope(in parameters: FormParameters, of client: DevelopmentClient, persona: Persona) -> [String] {
        guard client.kind != .gitHubApp || !persona.api.isGitHub else { return [] }
        var scope: [String] = []
        for name in requestedScopes(in: parameters, persona.authorization) where persona.scopes.contains(name) && !scope.contains(name) {
            scope.append(name)
        }
        return scope
    }
}

extension Character {
    /// Whether an error description may contain the string (RFC 6749 §4.1.2.1).
    fileprivate var isPrintableASCII: Bool {
        asciiValue.map { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") } ?? false
    }
}
