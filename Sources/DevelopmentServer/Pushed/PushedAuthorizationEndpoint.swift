import AuthHubPrimitives
import HTTPTypes
import Synchronization

/// The endpoint that accepts authorization requests over the back channel (RFC 9126 §2).
struct PushedAuthorizationEndpoint: Sendable {
    let state: ServerState

    private static let ofAuthentication: Set<String> = ["client_secret", "client_assertion", "client_assertion_type"]

    func respond(to request: IncomingRequest) -> Answer {
        do throws(TokenError) {
            guard let form = request.form else {
                throw TokenError(code: .invalidRequest, description: "The body is not form-encoded.")
            }
            let client: DevelopmentClient
            do throws(ClientAuthenticationError) {
                client = try state.authenticateClient(of: request, form: form)
            } catch {
                throw TokenError(error)
            }
            return try push(form, client)
        } catch {
            return error.answer(from: state, to: request)
        }
    }

    private func push(_ form: FormParameters, _ client: DevelopmentClient) throws(TokenError) -> Answer {
        guard form["request_uri"] == nil else {
            throw TokenError(code: .invalidRequest, description: "A pushed request must not contain a request_uri.")
        }
        let parameters = FormParameters(form.parameters.filter { !Self.ofAuthentication.contains($0.name) })
        do throws(AuthorizationRequestError) {
            let request = try AuthorizationRequest(parameters, persona: state.persona, client: state.client)
            guard request.client.id == client.id else { throw .shown("The request belongs to another client.") }
        } catch {
            switch error {
            case .shown(let reason): throw TokenError(code: .invalidRequest, description: reason)
            case .sentBack(let failure):
                return Answer.json(
                    ["error": .string(failure.error), "error_description": .string(failure.description)], status: .badRequest
                ).notStored()
            }
        }
        let lifetime = state.persona.messages.pushedRequestLifetime
        let reference = state.pushed.withLock {
            $0.add(.init(clientID: client.id, parameters: parameters, expiresAt: state.now + lifetime))
        }
        return Answer.json(
            ["request_uri": .string(reference), "expires_in": .number(JSONNumber(lifetime.components.seconds))], status: .created
        ).notStored()
    }
}
