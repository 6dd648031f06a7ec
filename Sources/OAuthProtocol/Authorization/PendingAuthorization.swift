public import AuthHubPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A sign-in that waits for its callback: the one judge of whether a callback is its own, and good.
///
/// Only from here comes an ``AuthorizationCode``, and only once.
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
    let scope: Scope
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
        scope: Scope,
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
        self.scope = scope
        self.expiresAt = expiresAt
    }

    /// Whether a URL is this sign-in's callback: at its redirect URI, with its `state`.
    ///
    /// A listener passes over everything else and goes on waiting, errors included: whoever can reach it could otherwise end the
    /// sign-in with one request (RFC 9207 §2, RFC 6749 §10.12).
    public func expects(_ callback: Secret<String>) -> Bool {
        guard !isSpent, let parameters = try? parameters(of: callback.reveal()) else { return false }
        return stateMatches(parameters)
    }

    /// Judges a callback, and yields its authorization code.
    ///
    /// - Throws: ``OAuthError``: `.securityCheckFailed` for another address, a missing or wrong `state` or `iss`, a repeat, parameters
    ///   that occur twice or do not belong in this response; `.expired` after the deadline; `.serverRejected` for the server's own
    ///   error; `.invalidResponse` for a callback with neither code nor error, or one that is not form-encoded.
    public mutating func accept(_ callback: Secret<String>, at now: Date) throws(OAuthError) -> AuthorizationCode {
        guard !isSpent else { throw OAuthError(.securityCheckFailed, "this sign-in has its answer already") }
        let parameters = try parameters(of: callback.reveal())
        guard stateMatches(parameters) else {
            throw OAuthError(
                .securityCheckFailed, parameters["state"] == nil ? "the callback has no state" : "the callback's state is another one")
        }
        isSpent = true
        guard now < expiresAt else { throw OAuthError(.expired, "the callback came after the sign-in's deadline") }
        try checkIssuer(parameters["iss"])
        for name in ["access_token", "id_token", "token_type", "response"] where parameters[name] != nil {
            throw OAuthError(.securityCheckFailed, "the callback holds \(name), which was not asked for")
        }
        if let error = parameters["error"], !error.isEmpty {
            throw OAuthError(
                ServerError(
                    code: ServerErrorCode(rawValue: error), explanation: parameters["error_description"], uri: parameters["error_uri"]))
        }
        guard let code = parameters["code"], !code.isEmpty else {
            throw OAuthError(.invalidResponse, "the callback has neither a code nor an error")
        }
        return AuthorizationCode(value: Secret(code), pending: self)
    }
}

extension PendingAuthorization {
    private static let sizeLimit = 64 * 1024
    private static let countLimit = 100

    private func stateMatches(_ parameters: FormParameters) -> Bool {
        parameters["state"].map { Secret($0) == state } ?? false
    }

    /// Plain comparison of the whole text, as RFC 9207 §2.4 demands; a server that promises `iss` has to send it.
    private func checkIssuer(_ value: String?) throws(OAuthError) {
        switch (value, issuer) {
        case (nil, _) where issuerIsPromised:
            throw OAuthError(.securityCheckFailed, "the callback lacks the iss that the server promises")
        case (nil, _):
            return
        case (_?, nil):
            throw OAuthError(.securityCheckFailed, "the callback names an issuer, and none is configured to compare it with")
        case (let value?, let issuer?):
            guard value.hasSameBytes(as: issuer) else {
                throw OAuthError(.securityCheckFailed, "the callback is of another issuer than \(displayable(issuer, limit: 200))")
            }
        }
    }

    /// The response's parameters, where the URL is the redirect URI with a query added and nothing else.
    private func parameters(of callback: String) throws(OAuthError) -> FormParameters {
        guard callback.utf8.count <= Self.sizeLimit else { throw OAuthError(.invalidResponse, "the callback is longer than 64 KiB") }
        let (text, fragment) = callback.splitAtFirst("#")
        guard text.utf8.starts(with: redirectURI.utf8) else { throw Self.elsewhere }
        let rest = text.utf8.dropFirst(redirectURI.utf8.count)
        let separator = redirectURI.utf8.contains(UInt8(ascii: "?")) ? UInt8(ascii: "&") : UInt8(ascii: "?")
        guard rest.isEmpty || rest.first == separator else { throw Self.elsewhere }
        let query = String(Substring(rest.dropFirst()))
        let parameters: FormParameters
        do {
            parameters = try FormParameters(decoding: query)
        } catch {
            throw OAuthError(.invalidResponse, "the callback is not form-encoded", underlying: error)
        }
        guard parameters.parameters.count <= Self.countLimit else {
            throw OAuthError(.invalidResponse, "the callback has more than \(Self.countLimit) parameters")
        }
        for name in ["code", "state", "iss", "error", "error_description", "error_uri", "response"]
        where parameters.values(named: name).count > 1 {
            throw OAuthError(.securityCheckFailed, "the callback has \(name) more than once")
        }
        if let fragment, let beside = try? FormParameters(decoding: fragment),
            ["code", "error", "state", "access_token", "id_token"].contains(where: { beside[$0] != nil })
        {
            throw OAuthError(.securityCheckFailed, "the answer came in the fragment, and was asked for in the query")
        }
        return parameters
    }

    private static var elsewhere: OAuthError {
        OAuthError(.securityCheckFailed, "the callback is not at this sign-in's redirect URI")
    }
}

extension String {
    /// The text before the first occurrence, and what follows it.
    fileprivate func splitAtFirst(_ separator: Unicode.Scalar) -> (String, String?) {
        guard let index = unicodeScalars.firstIndex(of: separator) else { return (self, nil) }
        return (String(unicodeScalars[..<index]), String(unicodeScalars[unicodeScalars.index(after: index)...]))
    }
}

/// An authorization code that passed every check of its callback. Nothing else can make one.
public struct AuthorizationCode: Sendable {
    let value: Secret<String>
    let pending: PendingAuthorization

    fileprivate init(value: Secret<String>, pending: PendingAuthorization) {
        self.value = value
        self.pending = pending
    }
}
