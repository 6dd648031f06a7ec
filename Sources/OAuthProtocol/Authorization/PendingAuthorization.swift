public import AuthHubPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A sign-in that waits for its callback: the one judge of whether a callback is its own, and good.
///
/// Only from here comes an ``AuthorizationCode``, or what a callback brings in its place, and only once.
public struct PendingAuthorization: Sendable {
    let state: Secret<String>
    /// What an ID token of this sign-in has to repeat (OpenID Connect Core §3.1.2.1); nil where none was asked for.
    let nonce: Secret<String>?
    let verifier: CodeVerifier
    let clientID: String
    public let redirectURI: String
    let tokenEndpoint: String
    let issuer: String?
    let issuerIsPromised: Bool
    /// The only origin that may get the tokens; nil if any of the server's endpoints may.
    let soleOrigin: Origin?
    let scope: Scope
    let response: ExpectedResponse
    public let expiresAt: Date
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
        self.response = response
        self.expiresAt = expiresAt
    }

    /// Where in its callback the answer of this sign-in stands.
    public var responseMode: ResponseMode { response.mode }
    /// Whether it leads to the provider's pin page, and takes what a person copies from there.
    public var acceptsPin: Bool { response.isPinned }
}

extension PendingAuthorization {
    /// Whether a callback is this sign-in's: at its redirect URI, where its answer was asked for, with its `state`.
    ///
    /// A listener passes over everything else and goes on waiting, errors included: whoever can reach it could otherwise end the
    /// sign-in with one request (RFC 9207 §2, RFC 6749 §10.12).
    public func expects(_ callback: AuthorizationCallback) -> Bool {
        guard !isSpent else { return false }
        if case .pin(let text) = callback { return response.isPinned && !text.reveal().isEmpty }
        guard let parameters = try? parameters(of: callback), stateMatches(parameters) else { return false }
        // Without a state, what holds no answer could be anything that was sent to this address.
        return parameters["state"] != nil || ExpectedResponse.responseParameters.contains { parameters[$0] != nil }
    }

    /// Whether a URL is this sign-in's callback: ``expects(_:)-(AuthorizationCallback)``.
    public func expects(_ callback: Secret<String>) -> Bool { expects(.url(callback)) }

    /// Judges a callback, and yields what it brings.
    ///
    /// - Throws: ``OAuthError``: `.securityCheckFailed` for another address, a missing or wrong `state` or `iss`, a repeat, an answer that
    ///   does not stand where it was asked for, parameters that occur twice or do not belong in this response; `.expired` after the
    ///   deadline; `.serverRejected` for the server's own error; `.invalidResponse` for a callback with neither an answer nor an error, one
    ///   that is not form-encoded, and for a token that cannot be used.
    public mutating func accept(_ callback: AuthorizationCallback, at now: Date) throws(OAuthError) -> AuthorizationResponse {
        guard !isSpent else { throw OAuthError(.securityCheckFailed, "this sign-in already has its response") }
        if case .pin(let text) = callback { return try accept(pin: text, at: now) }
        let parameters = try parameters(of: callback)
        guard stateMatches(parameters) else {
            throw OAuthError(
                .securityCheckFailed,
                parameters["state"] == nil ? "the callback has no state" : "the callback's state is not this sign-in's")
        }
        isSpent = true
        guard now < expiresAt else { throw Self.late }
        try checkIssuer(parameters["iss"])
        for name in response.foreignParameters where parameters[name] != nil {
            throw OAuthError(.securityCheckFailed, "the callback has the parameter \(name), which was not requested")
        }
        if let error = parameters["error"], !error.isEmpty {
            throw OAuthError(
                ServerError(
                    told: error, explanation: parameters["error_description"], uri: parameters["error_uri"],
                    without: redaction(of: parameters)))
        }
        switch response.type {
        case .code:
            guard let code = parameters["code"], !code.isEmpty else {
                throw OAuthError(.invalidResponse, "the callback has neither a code nor an error")
            }
            return .code(
                AuthorizationCode(
                    value: Secret(code), sessionState: parameters["session_state"], grantedScope: parameters["scope"], pending: self))
        case .token:
            return .tokens(try TokenResponse(callback: parameters, as: response, requested: scope, at: now))
        }
    }

    /// Removes the secrets of the sign-in, and those in the same response, from the server's error message.
    private func redaction(of parameters: FormParameters) -> Redaction {
        Redaction(
            [state, verifier.value, nonce].compactMap { $0?.reveal() }
                + ["code", "access_token"].flatMap { parameters.values(named: $0) })
    }

    /// Judges the callback URL of a sign-in that brings a code: ``accept(_:at:)-(AuthorizationCallback,_)``.
    ///
    /// - Throws: ``OAuthError``; with `.misuse` for a sign-in that brings tokens.
    public mutating func accept(_ callback: Secret<String>, at now: Date) throws(OAuthError) -> AuthorizationCode {
        guard response.type == .code, case .code(let code) = try accept(.url(callback), at: now) else {
            throw OAuthError(.misuse, "this sign-in returns tokens instead of a code")
        }
        return code
    }

    /// Where the provider shows the code or the token for the person to copy, `state` is not part of it.
    private mutating func accept(pin text: Secret<String>, at now: Date) throws(OAuthError) -> AuthorizationResponse {
        guard response.isPinned else {
            throw OAuthError(.securityCheckFailed, "this sign-in expects a callback, not a pasted code or token")
        }
        guard !text.reveal().isEmpty, text.reveal().utf8.count <= Self.sizeLimit else {
            throw OAuthError(.invalidResponse, "the pasted text is empty or longer than 64 KiB")
        }
        isSpent = true
        guard now < expiresAt else { throw Self.late }
        switch response.type {
        case .code: return .code(AuthorizationCode(value: text, sessionState: nil, grantedScope: nil, pending: self))
        case .token: return .tokens(try TokenResponse(pasted: text, as: response, requested: scope))
        }
    }
}

/// An authorization code that passed every check of its callback. Nothing else can make one.
public struct AuthorizationCode: Sendable {
    let value: Secret<String>
    /// The browser's session at the server, as the callback named it (OpenID Connect Session Management 1.0 §2); it is not judged.
    public let sessionState: String?
    /// What the callback says was granted, as it came; it counts where the provider's profile says so.
    let grantedScope: String?
    let pending: PendingAuthorization

    fileprivate init(value: Secret<String>, sessionState: String?, grantedScope: String?, pending: PendingAuthorization) {
        self.value = value
        self.grantedScope = grantedScope
        self.sessionState = sessionState
        self.pending = pending
    }
}
