package import AuthHubPrimitives
package import Platform

/// A sign-in that waits for its callback, and the only place where callbacks are checked.
///
/// It accepts one callback, once, and returns its ``AuthorizationCode`` or tokens.
package struct PendingAuthorization: Sendable {
    let state: Secret<String>
    /// The value that an ID token of this sign-in must repeat (OpenID Connect Core §3.1.2.1); nil if none was sent.
    let nonce: Secret<String>?
    let verifier: CodeVerifier
    package let clientID: String
    /// The redirect URI of the authorization request, at which the callback must arrive.
    package let redirectURI: String
    let tokenEndpoint: String
    let issuer: String?
    let issuerIsPromised: Bool
    /// The only origin that may get the tokens; nil if any of the server's endpoints may.
    let soleOrigin: Origin?
    package let scope: Scope
    /// The maximum time since the user authenticated, in seconds, that was requested (`max_age`); nil if none was.
    let maximumAge: Int?
    /// The authentication context classes of which one is required.
    let acrValues: [String]
    /// The identifiers of the users who may sign in; empty for any user.
    let subjects: [String]
    let response: ExpectedResponse
    /// The time from which the callback is rejected.
    package let expiresAt: Date
    private(set) var isSpent = false

    init(
        state: Secret<String>,
        nonce: Secret<String>?,
        verifier: CodeVerifier,
        clientID: String,
        redirectURI: String,
        tokenEndpoint: String,
        issuer: String?,
        issuerIsPromised: Bool,
        soleOrigin: Origin? = nil,
        scope: Scope,
        maximumAge: Int? = nil,
        acrValues: [String] = [],
        subjects: [String] = [],
        response: ExpectedResponse = .codeInQuery,
        expiresAt: Date
    ) {
        self.state = state
        self.nonce = nonce
        self.verifier = verifier
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.tokenEndpoint = tokenEndpoint
        self.issuer = issuer
        self.issuerIsPromised = issuerIsPromised
        self.soleOrigin = soleOrigin
        self.scope = scope
        self.maximumAge = maximumAge
        self.acrValues = acrValues
        self.subjects = subjects
        self.response = response
        self.expiresAt = expiresAt
    }

    /// The part of the callback that holds the response.
    package var responseMode: ResponseMode { response.mode }
    /// Whether the redirect URI is the provider's pin page, so that the user pastes the text that it shows.
    package var acceptsPin: Bool { response.isPinned }
}

extension PendingAuthorization {
    /// Whether a callback belongs to this sign-in: at its redirect URI, in the requested part, with its `state`.
    ///
    /// A listener ignores everything else, even errors, and keeps waiting: otherwise anyone who can reach it could end the sign-in with
    /// one request (RFC 9207 §2, RFC 6749 §10.12).
    package func expects(_ callback: AuthorizationCallback) -> Bool {
        guard !isSpent else { return false }
        if case .pin(let text) = callback { return response.isPinned && isPlausible(pin: text) }
        guard let parameters = try? parameters(of: callback), stateMatches(parameters) else { return false }
        // Without a state, a request without a response could be anything that was sent to this URL.
        return parameters["state"] != nil || ExpectedResponse.responseParameters.contains { parameters[$0] != nil }
    }

    /// Whether a URL is a callback of this sign-in: ``expects(_:)-(AuthorizationCallback)``.
    package func expects(_ callback: Secret<String>) -> Bool { expects(.url(callback)) }

    /// Checks a callback and returns its code or tokens.
    ///
    /// - Throws: ``OAuthError``: `.securityCheckFailed` for another URL, a missing or wrong `state` or `iss`, a second callback, a response
    ///   in a different part than requested, and parameters that occur twice or do not belong in this response; `.expired` after the
    ///   deadline; `.serverRejected` if the server returned an error; `.invalidResponse` if the callback has neither a response nor an
    ///   error, is not form-encoded, or has an unusable token.
    package mutating func accept(_ callback: AuthorizationCallback, at now: Date) throws(OAuthError) -> AuthorizationResponse {
        guard !isSpent else { throw OAuthError(.securityCheckFailed, "this sign-in has already received its response") }
        if case .pin(let text) = callback { return try accept(pin: text, at: now) }
        let parameters = try parameters(of: callback)
        guard stateMatches(parameters) else {
            throw OAuthError(
                .securityCheckFailed,
                parameters["state"] == nil ? "the callback has no state" : "the callback's state does not match this sign-in's state")
        }
        isSpent = true
        guard now < expiresAt else { throw Self.late }
        for parameter in parameters.parameters where parameter.isRepaired {
            guard let name = ExpectedResponse.exactParameters.first(where: { $0.hasSameBytes(as: parameter.name) }) else { continue }
            throw OAuthError(.invalidResponse, "the callback's \(name) cannot be decoded")
        }
        try checkIssuer(parameters["iss"])
        for name in response.foreignParameters where parameters[name].map({ !$0.isEmpty }) ?? false {
            throw OAuthError(.securityCheckFailed, "the callback has the parameter \(name), which was not requested")
        }
        if let error = parameters["error"], !error.isEmpty {
            throw OAuthError(
                ServerError(
                    told: error, explanation: parameters["error_description"], uri: parameters["error_uri"],
                    without: redaction(of: parameters)))
        }
        let idToken = try idToken(in: parameters)
        guard response.type.hasCode else {
            return .tokens(try TokenResponse(callback: parameters, as: response, requested: scope, at: now))
        }
        guard let code = parameters["code"], !code.isEmpty else {
            throw OAuthError(.invalidResponse, "the callback has neither a code nor an error")
        }
        var accessToken: Secret<String>?
        if response.type.hasToken {
            accessToken = try TokenResponse(callback: parameters, as: response, requested: scope, at: now).accessToken
        }
        return .code(
            AuthorizationCode(
                value: Secret(code), sessionState: parameters.exact("session_state"), grantedScope: parameters.exact("scope"),
                idToken: idToken,
                accessToken: accessToken, user: userDescription(in: parameters), pending: self))
    }

    /// The description of the user, if the provider sends one; nil if it is not a JSON object of at most 4 KiB.
    private func userDescription(in parameters: FormParameters) -> Secret<String>? {
        guard let text = response.userParameter.flatMap({ parameters[$0] }), text.utf8.count <= Self.descriptionLimit,
            (try? JSONValue(received: text.utf8).object) != nil
        else { return nil }
        return Secret(text)
    }

    /// OpenID Connect Core 1.0 §3.3.2.5.
    private func idToken(in parameters: FormParameters) throws(OAuthError) -> Secret<String>? {
        guard response.type.hasIDToken else { return nil }
        guard let text = parameters["id_token"], !text.isEmpty else {
            throw OAuthError(.securityCheckFailed, "the callback has no id_token, although one was requested")
        }
        return Secret(text)
    }

    /// Removes the secrets of the sign-in, and those in the same response, from the server's error message.
    private func redaction(of parameters: FormParameters) -> Redaction {
        Redaction(
            [state, verifier.value, nonce].compactMap { $0?.reveal() }
                + ["code", "access_token", "id_token"].flatMap { parameters.values(named: $0) })
    }

    /// Checks the callback URL of a sign-in that returns a code: ``accept(_:at:)-(AuthorizationCallback,_)``.
    ///
    /// - Throws: ``OAuthError``; with `.misuse` if the sign-in returns tokens.
    package mutating func accept(_ callback: Secret<String>, at now: Date) throws(OAuthError) -> AuthorizationCode {
        guard response.type.hasCode, case .code(let code) = try accept(.url(callback), at: now) else {
            throw OAuthError(.misuse, "this sign-in returns tokens instead of a code")
        }
        return code
    }

    /// The length of the shortest token that no one can guess: 128 bits in visible ASCII (RFC 6749 §10.10).
    private static let shortestToken = 20

    /// Whether the pasted text could be the code or token from the page. A pasted token is not checked before it is used; the server checks
    /// a code.
    private func isPlausible(pin text: Secret<String>) -> Bool {
        text.reveal().utf8.count >= (response.type == .token ? Self.shortestToken : 1)
    }

    /// Accepts the code or token that the user copied from the pin page, which has no `state`.
    private mutating func accept(pin text: Secret<String>, at now: Date) throws(OAuthError) -> AuthorizationResponse {
        guard response.isPinned else {
            throw OAuthError(.securityCheckFailed, "this sign-in expects a callback, not a pasted code or token")
        }
        guard !text.reveal().isEmpty, text.reveal().utf8.count <= Self.sizeLimit else {
            throw OAuthError(.invalidResponse, "the pasted text is empty or longer than 64 KiB")
        }
        guard isPlausible(pin: text) else {
            throw OAuthError(.invalidResponse, "the pasted text is too short to be a token; paste all the text that the page shows")
        }
        isSpent = true
        guard now < expiresAt else { throw Self.late }
        switch response.type {
        case .code:
            return .code(
                AuthorizationCode(
                    value: text, sessionState: nil, grantedScope: nil, idToken: nil, accessToken: nil, user: nil, pending: self))
        case .token: return .tokens(try TokenResponse(pasted: text, as: response, requested: scope))
        default: throw OAuthError(.misuse, "a page cannot show an ID token")
        }
    }
}

/// An authorization code whose callback passed every check. Only ``PendingAuthorization`` creates one.
package struct AuthorizationCode: Sendable {
    let value: Secret<String>
    /// The browser's session at the server, as the callback names it (OpenID Connect Session Management 1.0 §2). It is not checked.
    package let sessionState: String?
    /// The granted scope in the callback, as received. It counts if the provider's profile says so.
    let grantedScope: String?
    /// The ID token in the callback, which must be verified before the code is exchanged; nil if none was requested.
    package let idToken: Secret<String>?
    /// The access token in the callback, which is not used; nil if none was requested.
    package let accessToken: Secret<String>?
    /// The description of the user in the callback, a JSON object that is not signed; nil if there is none.
    let user: Secret<String>?
    let pending: PendingAuthorization

    /// The access token in the callback, to revoke it; nil if none was requested. Do not send it to this server before the ID token next to
    /// it is verified: another server may have issued it (RFC 9700 §4.4).
    package var issued: IssuedTokens? {
        accessToken.map { IssuedTokens(accessToken: $0, refreshToken: nil, mustBeRevoked: true, soleOrigin: pending.soleOrigin) }
    }

    fileprivate init(
        value: Secret<String>, sessionState: String?, grantedScope: String?, idToken: Secret<String>?, accessToken: Secret<String>?,
        user: Secret<String>?, pending: PendingAuthorization
    ) {
        self.user = user
        self.value = value
        self.grantedScope = grantedScope
        self.sessionState = sessionState
        self.idToken = idToken
        self.accessToken = accessToken
        self.pending = pending
    }
}
