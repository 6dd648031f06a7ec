import AuthHubPrimitives
import HTTPTypes
import Platform
import Synchronization

/// The endpoint that describes tokens to clients with a secret (RFC 7662).
struct IntrospectionEndpoint: Sendable {
    let state: ServerState

    func respond(to request: IncomingRequest) -> Answer {
        do throws(TokenError) {
            guard let form = request.form, let token = form["token"] else {
                throw TokenError(code: .invalidRequest, description: "The token is missing.")
            }
            let client: DevelopmentClient
            do throws(ClientAuthenticationError) {
                client = try state.authenticateClient(of: request, form: form)
            } catch {
                throw TokenError(error)
            }
            guard client.isConfidential else {
                throw TokenError(code: .invalidClient, description: "Only clients with a secret may introspect tokens.", occasion: .client)
            }
            let description = state.grants.withLock { $0.description(ofToken: token, at: state.now) }
            return Answer.json(description.map(members) ?? ["active": false]).notStored()
        } catch {
            return error.answer(from: state, to: request)
        }
    }

    private func members(_ description: GrantLedger.Description) -> JSONValue {
        let grant = description.grant
        var members = JSONObject()
        members["active"] = true
        members["scope"] = .string(description.scope.joined(separator: " "))
        members["client_id"] = .string(grant.clientID)
        members["token_type"] = description.isAccessToken ? "Bearer" : nil
        members["exp"] = description.expiresAt.map(Self.seconds)
        members["iat"] = description.issuedAt.map(Self.seconds)
        members["iss"] = .string(state.issuer)
        if let user = state.user(id: grant.userID) {
            members["username"] = .string(user.login)
            members["sub"] = .string(String(user.id))
        } else {
            members["sub"] = .string(grant.clientID)
        }
        if !description.audience.isEmpty { members["aud"] = .array(description.audience.map { .string($0) }) }
        members["authorization_details"] = grant.details
        return .object(members)
    }

    private static func seconds(_ date: Date) -> JSONValue { .number(JSONNumber(Int64(date.timeIntervalSince1970))) }
}
