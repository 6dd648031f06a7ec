import AuthHubPrimitives
import HTTPTypes
import Platform
import Synchronization

/// The endpoint that registers clients (RFC 7591), and lets them read, change and delete their registrations (RFC 7592).
struct RegistrationEndpoint: Sendable {
    let state: ServerState

    func register(_ request: IncomingRequest) -> Answer {
        if case .holders(let token) = state.persona.messages.registration {
            guard request.bearerToken.map({ Secret($0) == token }) ?? false else { return refusedToken }
        }
        do throws(RegistrationRefusal) {
            let metadata = try noted(request)
            let id = "registered-" + Base64URL.encode(randomBytes(count: 12))
            let entry = RegisteredClients.Entry(
                client: client(id: id, secret: Self.secret(for: metadata), metadata), metadata: metadata, accessToken: Self.randomToken(),
                issuedAt: Int64(state.now.timeIntervalSince1970))
            state.registered.withLock { $0[id] = entry }
            return answer(entry, status: .created)
        } catch {
            return refusal(error)
        }
    }

    func manage(_ request: IncomingRequest) -> Answer {
        let id = request.path.split(separator: "/").last.map(String.init) ?? ""
        guard let entry = state.registered.withLock({ $0[id] }), request.bearerToken.map({ Secret($0) == entry.accessToken }) ?? false
        else { return refusedToken }
        switch request.method {
        case .put: return change(entry, by: request)
        case .delete:
            state.registered.withLock { $0[id] = nil }
            state.grants.withLock { $0.revokeAll(of: id) }
            return Answer(status: .noContent).notStored()
        default: return answer(entry, status: .ok)
        }
    }

    /// Replaces all metadata, and issues a new token for the next request (RFC 7592 §2.2 and §3).
    private func change(_ entry: RegisteredClients.Entry, by request: IncomingRequest) -> Answer {
        do throws(RegistrationRefusal) {
            guard request.json?["client_id"]?.string == entry.client.id else {
                throw RegistrationValidator.invalid("The client_id is missing.")
            }
            for name in ["registration_access_token", "registration_client_uri", "client_secret_expires_at", "client_id_issued_at"] {
                guard request.json?[name] == nil else { throw RegistrationValidator.invalid("\(name) is set by the server.") }
            }
            if let secret = request.json?["client_secret"]?.string, entry.client.secret != Secret(secret) {
                throw RegistrationValidator.invalid("The client_secret is wrong.")
            }
            let metadata = try noted(request)
            var changed = entry
            let secret = Self.secret(for: metadata).map { entry.client.secret ?? $0 }
            changed.client = client(id: entry.client.id, secret: secret, metadata)
            changed.metadata = metadata
            changed.accessToken = Self.randomToken()
            state.registered.withLock { [changed] in $0[entry.client.id] = changed }
            return answer(changed, status: .ok)
        } catch {
            return refusal(error)
        }
    }

    private func noted(_ request: IncomingRequest) throws(RegistrationRefusal) -> JSONObject {
        guard let members = request.json?.object else { throw RegistrationValidator.invalid("The body is not a JSON object.") }
        return try RegistrationValidator(persona: state.persona).noted(members)
    }

    /// Returns the client that metadata describes.
    func client(id: String, secret: Secret<String>?, _ metadata: JSONObject) -> DevelopmentClient {
        var client = DevelopmentClient(
            id: id, secret: secret, name: metadata["client_name"]?.string ?? id,
            redirectURIs: metadata["redirect_uris"]?.array?.compactMap(\.string) ?? [])
        client.idTokenAlgorithm = metadata["id_token_signed_response_alg"]?.string.flatMap(SigningAlgorithm.init)
        client.userInfoAlgorithm = metadata["userinfo_signed_response_alg"]?.string.flatMap(SigningAlgorithm.init)
        client.idTokenEncryption = RegistrationValidator.encryption("id_token", in: metadata)
        client.userInfoEncryption = RegistrationValidator.encryption("userinfo", in: metadata)
        client.publicKeys = RegistrationValidator.keys(in: metadata)
        client.mustSign = ["private_key_jwt", "client_secret_jwt"].contains(metadata["token_endpoint_auth_method"]?.string)
        client.postLogoutRedirectURIs = metadata["post_logout_redirect_uris"]?.array?.compactMap(\.string)
        client.initiateLoginURI = metadata["initiate_login_uri"]?.string
        client.backChannelLogoutURI = metadata["backchannel_logout_uri"]?.string
        client.frontChannelLogoutURI = metadata["frontchannel_logout_uri"]?.string
        for algorithm in [client.idTokenAlgorithm, client.userInfoAlgorithm].compactMap(\.self) { _ = state.signer(algorithm, for: client) }
        return client
    }

    private static func secret(for metadata: JSONObject) -> Secret<String>? {
        ["none", "private_key_jwt"].contains(metadata["token_endpoint_auth_method"]?.string) ? nil : randomToken()
    }

    private static func randomToken() -> Secret<String> { Secret(Base64URL.encode(randomBytes(count: 24))) }
}

extension RegistrationEndpoint {
    private func answer(_ entry: RegisteredClients.Entry, status: HTTPResponse.Status) -> Answer {
        var members = JSONObject()
        members["client_id"] = .string(entry.client.id)
        members["client_id_issued_at"] = .number(JSONNumber(entry.issuedAt))
        if let secret = entry.client.secret {
            members["client_secret"] = .string(secret.reveal())
            members["client_secret_expires_at"] = 0
        }
        members["registration_access_token"] = .string(entry.accessToken.reveal())
        members["registration_client_uri"] = .string("\(state.issuer)/register/\(entry.client.id)")
        for member in entry.metadata.members { members[member.name] = member.value }
        return Answer.json(.object(members), status: status).notStored()
    }

    private func refusal(_ refusal: RegistrationRefusal) -> Answer {
        Answer.json(
            ["error": .string(refusal.code), "error_description": .string(refusal.description)], status: .badRequest
        ).notStored()
    }

    private var refusedToken: Answer {
        var answer = Answer.json(
            ["error": "invalid_token", "error_description": "The access token for registrations is missing or wrong."],
            status: .unauthorized)
        answer.headers[.wwwAuthenticate] = "Bearer realm=\"\(state.issuer)\", error=\"invalid_token\""
        return answer.notStored()
    }
}
