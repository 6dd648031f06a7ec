import AuthHubPrimitives

extension PendingAuthorization {
    static let sizeLimit = 64 * 1024
    private static let countLimit = 100
    static let descriptionLimit = 4 * 1024

    func stateMatches(_ parameters: FormParameters) -> Bool {
        parameters["state"].map { Secret($0) == state } ?? !response.needsState
    }

    /// Compares the whole string, as RFC 9207 §2.4 requires. A server that promises `iss` must send it.
    func checkIssuer(_ value: String?) throws(OAuthError) {
        switch (value, issuer) {
        case (nil, _) where issuerIsPromised:
            throw OAuthError(.securityCheckFailed, "the callback has no iss, although the server's metadata promises it")
        case (nil, _):
            return
        case (_?, nil):
            throw OAuthError(.securityCheckFailed, "the callback has an iss, but no issuer is configured to compare it with")
        case (let value?, let issuer?):
            guard value.hasSameBytes(as: issuer) else {
                throw OAuthError(
                    .securityCheckFailed, "the callback is not from \(displayable(issuer, limit: 200)) but from another issuer")
            }
        }
    }

    /// Returns the parameters of the response, only from the requested part of the callback.
    func parameters(of callback: AuthorizationCallback) throws(OAuthError) -> FormParameters {
        let text: String
        switch callback {
        case .url(let url):
            let (query, fragment) = try parts(of: url.reveal())
            switch response.mode {
            case .query:
                try rejectResponse(in: fragment, named: "fragment")
                text = query
            case .fragment:
                try rejectResponse(in: query, named: "query")
                text = fragment
            case .formPost:
                throw OAuthError(.securityCheckFailed, "the response arrived in the URL, but was requested as a form")
            }
        case .form(let body, let url):
            guard response.mode == .formPost else {
                throw OAuthError(.securityCheckFailed, "the response arrived as a form, but was requested in the \(response.mode.rawValue)")
            }
            let (query, fragment) = try parts(of: url.reveal())
            try rejectResponse(in: query, named: "query")
            try rejectResponse(in: fragment, named: "fragment")
            guard body.reveal().utf8.count <= Self.sizeLimit else { throw Self.tooLong }
            text = body.reveal()
        case .pin:
            throw OAuthError(.securityCheckFailed, "a pasted code or token cannot have parameters")
        }
        return try parameters(in: text)
    }

    /// Returns query and fragment of a URL that is the redirect URI with nothing else added.
    private func parts(of callback: String) throws(OAuthError) -> (query: String, fragment: String) {
        guard callback.utf8.count <= Self.sizeLimit else { throw Self.tooLong }
        let (text, fragment) = callback.splitAtFirst("#")
        guard text.utf8.starts(with: redirectURI.utf8) else { throw Self.elsewhere }
        var rest = text.utf8.dropFirst(redirectURI.utf8.count)
        // Browsers add a path to a URL that is a bare origin (WHATWG URL Standard §4.4).
        if rest.first == UInt8(ascii: "/"), isBareOrigin { rest = rest.dropFirst() }
        let separator = redirectURI.utf8.contains(UInt8(ascii: "?")) ? UInt8(ascii: "&") : UInt8(ascii: "?")
        guard rest.isEmpty || rest.first == separator else { throw Self.elsewhere }
        return (String(Substring(rest.dropFirst())), fragment ?? "")
    }

    private var isBareOrigin: Bool {
        guard let authority = Origin(url: redirectURI).map({ _ in redirectURI.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3) }) else {
            return false
        }
        return !authority.contains { "/?#".utf8.contains($0) }
    }

    private func parameters(in text: String) throws(OAuthError) -> FormParameters {
        let parameters = FormParameters(received: text.utf8)
        guard parameters.parameters.count <= Self.countLimit else {
            throw OAuthError(.invalidResponse, "the callback has more than \(Self.countLimit) parameters")
        }
        for name in response.singleParameters where parameters.values(named: name).count > 1 {
            throw OAuthError(.securityCheckFailed, "the callback has \(name) more than once")
        }
        return parameters
    }

    /// Rejects a response in a different part of the callback than requested. Either an attacker put it there, or the server misread the
    /// request (OAuth 2.0 Multiple Response Type Encoding Practices §2.1).
    private func rejectResponse(in text: String, named place: String) throws(OAuthError) {
        let beside = FormParameters(received: text.utf8)
        guard ["code", "error", "state", "access_token", "id_token"].contains(where: { beside[$0] != nil }) else { return }
        let asked = response.mode == .formPost ? "as a form" : "in the \(response.mode.rawValue)"
        throw OAuthError(.securityCheckFailed, "the response arrived in the \(place), but was requested \(asked)")
    }

    private static var tooLong: OAuthError { OAuthError(.invalidResponse, "the callback is longer than 64 KiB") }
    static var late: OAuthError { OAuthError(.expired, "the callback arrived after the sign-in's deadline") }

    private static var elsewhere: OAuthError {
        OAuthError(.securityCheckFailed, "the callback's URL is not this sign-in's redirect URI")
    }
}

extension String {
    /// Splits the string at the first occurrence of the separator. The second part is nil if there is none.
    fileprivate func splitAtFirst(_ separator: Unicode.Scalar) -> (String, String?) {
        guard let index = unicodeScalars.firstIndex(of: separator) else { return (self, nil) }
        return (String(unicodeScalars[..<index]), String(unicodeScalars[unicodeScalars.index(after: index)...]))
    }
}
