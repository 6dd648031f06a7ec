import AuthHubPrimitives
import HTTPTypes

/// The reason why a client cannot use an endpoint for machines (RFC 6749 §5.2).
enum ClientAuthenticationError: Error, Hashable, Sendable {
    /// More than one authentication method, or two different client IDs.
    case ambiguous
    /// No client, an unknown client, a wrong secret, or a missing secret.
    case failed
    /// An assertion that is not accepted, and what is wrong with it, after “the client assertion”.
    case assertion(String)
}

extension ServerState {
    /// Returns the client that sent a form: authenticated by HTTP Basic with form-encoded parts, by parameters, or only by its ID if it is
    /// public (RFC 6749 §2.3.1 and §3.2.1). An empty secret counts as missing, because the client may omit it: a public client may send it,
    /// and it does not authenticate a confidential one.
    func authenticateClient(of request: IncomingRequest, form: FormParameters) throws(ClientAuthenticationError)
        -> DevelopmentClient
    {
        if form["client_assertion"] != nil {
            guard request.headers[.authorization] == nil, form["client_secret"] == nil else { throw .ambiguous }
            return try clientOfAssertion(in: form)
        }
        let id: String
        let secret: String?
        let way: Persona.TokenRequestQuirks.ClientAuthentication
        if let basic = request.basicCredentials {
            guard let name = Self.decode(basic.name), let password = Self.decode(basic.password) else { throw .failed }
            guard form["client_secret"] == nil, form[persona.authorization.clientIDName].map({ $0 == name }) ?? true else {
                throw .ambiguous
            }
            (id, secret, way) = password.isEmpty ? (name, nil, .basicWithEmptyPassword) : (name, password, .basic)
        } else {
            guard request.headers[.authorization] == nil, let name = form[persona.authorization.clientIDName] else { throw .failed }
            let password = form["client_secret"].flatMap { $0.isEmpty ? nil : $0 }
            (id, secret, way) = (name, password, password == nil ? .none : .post)
        }
        guard let client = client(id: id), !client.mustSign else { throw .failed }
        switch (client.secret, secret) {
        case (nil, nil): break
        case (let expected?, let given?) where expected == Secret(given): break
        default: throw .failed
        }
        guard persona.tokenRequests.clientAuthentication.contains(way) else { throw .failed }
        return client
    }

    private static func decode(_ text: String) -> String? {
        (try? FormParameters(decoding: "x=" + text.replacing("&", with: "%26")))?["x"]
    }
}

extension ServerState {
    /// Returns the client of a device. If the persona allows it, a client with a secret may omit the secret.
    func authenticateDevice(
        of request: IncomingRequest, form: FormParameters
    ) throws(TokenError) -> DevelopmentClient {
        if persona.device?.secretMayBeLeftOut ?? false, request.headers[.authorization] == nil, form["client_secret"] == nil,
            let client = form[persona.authorization.clientIDName].flatMap({ client(id: $0) })
        {
            return client
        }
        do throws(ClientAuthenticationError) {
            return try authenticateClient(of: request, form: form)
        } catch {
            throw TokenError(error)
        }
    }
}
