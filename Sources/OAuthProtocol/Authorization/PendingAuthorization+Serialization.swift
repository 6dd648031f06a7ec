package import AuthHubPrimitives
import Platform

/// A stored pending sign-in accepts a callback that arrives after a restart of the program.
extension PendingAuthorization {
    private static let format: Int64 = 1

    /// Returns the sign-in as JSON for an encrypted store. It holds the code verifier.
    ///
    /// - Throws: ``OAuthError`` with `.misuse` if the sign-in has had its response: once stored, it could be used again.
    package func serialized() throws(OAuthError) -> Secret<[UInt8]> {
        guard !isSpent else { throw OAuthError(.misuse, "this sign-in has already received its response and cannot be stored") }
        var members = JSONObject()
        members["format"] = .number(JSONNumber(Self.format))
        members["state"] = .string(state.reveal())
        members["nonce"] = nonce.map { .string($0.reveal()) }
        members["code_verifier"] = .string(verifier.value.reveal())
        members["client_id"] = .string(clientID)
        members["redirect_uri"] = .string(redirectURI)
        members["token_endpoint"] = .string(tokenEndpoint)
        members["issuer"] = issuer.map(JSONValue.string)
        members["issuer_is_promised"] = .bool(issuerIsPromised)
        members["sole_origin"] = soleOrigin.map { .string($0.description) }
        members["scope"] = .string(scope.description)
        members["max_age"] = maximumAge.map { .number(JSONNumber(Int64($0))) }
        if !acrValues.isEmpty { members["acr_values"] = .array(acrValues.map(JSONValue.string)) }
        if !subjects.isEmpty { members["subjects"] = .array(subjects.map(JSONValue.string)) }
        members["response"] = response.record
        members["expires_at"] = .number(JSONNumber(Int64((expiresAt.timeIntervalSince1970 * 1000).rounded(.down))))
        return Secret(JSONValue.object(members).serialized())
    }

    /// Creates a sign-in from the output of ``serialized()``.
    ///
    /// - Throws: ``OAuthError`` with `.misuse` for any other bytes, and for bytes from a newer program. The error contains none of them.
    package init(serialized text: Secret<[UInt8]>) throws(OAuthError) {
        guard let members = try? JSONValue(strict: text.reveal()).object, let format = members["format"]?.number?.int64 else {
            throw Self.damaged
        }
        guard format == Self.format else {
            throw OAuthError(.misuse, "another version of the program stored this pending sign-in")
        }
        guard let state = members["state"]?.string, !state.isEmpty, let verifier = members["code_verifier"]?.string,
            let clientID = members["client_id"]?.string, !clientID.isEmpty,
            let redirectURI = members["redirect_uri"]?.string, !redirectURI.isEmpty,
            let tokenEndpoint = members["token_endpoint"]?.string, let issuerIsPromised = members["issuer_is_promised"]?.bool,
            let scope = members["scope"]?.string, let expiresAt = members["expires_at"]?.number?.int64,
            let nonce = Self.optionalText("nonce", in: members), let issuer = Self.optionalText("issuer", in: members),
            let soleOrigin = Origin.optional("sole_origin", in: members), let maximumAge = Self.optionalAge(in: members),
            let acrValues = Self.texts("acr_values", in: members), let subjects = Self.texts("subjects", in: members),
            let response = ExpectedResponse(record: members["response"])
        else { throw Self.damaged }
        self.init(
            state: Secret(state),
            nonce: nonce.map(Secret.init),
            verifier: try CodeVerifier(Secret(verifier)),
            clientID: clientID,
            redirectURI: redirectURI,
            tokenEndpoint: tokenEndpoint,
            issuer: issuer,
            issuerIsPromised: issuerIsPromised,
            soleOrigin: soleOrigin,
            scope: Scope(scope),
            maximumAge: maximumAge,
            acrValues: acrValues,
            subjects: subjects,
            response: response,
            expiresAt: Date(timeIntervalSince1970: Double(expiresAt) / 1000))
    }

    /// Whether both are the same sign-in.
    package func isSameSignIn(as other: Self) -> Bool { state == other.state }

    /// Returns nil if the member is present but not a string: without its nonce or issuer, fewer checks would be made than intended.
    private static func optionalText(_ name: String, in members: JSONObject) -> String?? {
        guard let value = members[name] else { return .some(nil) }
        return value.string.map { .some($0) }
    }

    private static func optionalAge(in members: JSONObject) -> Int?? {
        guard let value = members["max_age"] else { return .some(nil) }
        return value.number?.int64.flatMap(Int.init(exactly:)).map { .some($0) }
    }

    private static func texts(_ name: String, in members: JSONObject) -> [String]? {
        guard let values = members[name] else { return [] }
        let texts = values.array?.compactMap(\.string)
        return texts?.count == values.array?.count ? texts : nil
    }

    private static var damaged: OAuthError {
        OAuthError(.misuse, "the data is not a pending sign-in or is damaged")
    }
}

extension ExpectedResponse {
    /// nil for a code in the query, because older records omit the member in that case.
    fileprivate var record: JSONValue? {
        guard self != .codeInQuery else { return nil }
        var members = JSONObject()
        members["type"] = .string(type.rawValue)
        members["mode"] = .string(mode.rawValue)
        members["needs_state"] = .bool(needsState)
        members["is_pinned"] = .bool(isPinned)
        members["default_token_type"] = defaultTokenType.map { .string($0.rawValue) }
        members["granted_scope_separators"] = .string(String(grantedScopeSeparators.sorted()))
        members["user_parameter"] = userParameter.map { .string($0) }
        return .object(members)
    }

    fileprivate init?(record: JSONValue?) {
        guard let record else {
            self = .codeInQuery
            return
        }
        guard let type = record["type"]?.string.flatMap(ResponseType.init(rawValue:)),
            let mode = record["mode"]?.string.flatMap(ResponseMode.init(rawValue:)),
            let needsState = record["needs_state"]?.bool, let isPinned = record["is_pinned"]?.bool,
            let separators = record["granted_scope_separators"]?.string
        else { return nil }
        self.type = type
        self.mode = mode
        self.needsState = needsState
        self.isPinned = isPinned
        if let name = record["default_token_type"]?.string {
            guard let type = TokenType(rawValue: name) else { return nil }
            defaultTokenType = type
        }
        grantedScopeSeparators = Set(separators)
        userParameter = record["user_parameter"]?.string
    }
}
