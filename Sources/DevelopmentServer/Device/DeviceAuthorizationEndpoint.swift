import AuthHubPrimitives
import HTTPTypes
import Synchronization

/// The endpoint that issues codes to devices (RFC 8628 §3.1).
struct DeviceAuthorizationEndpoint: Sendable {
    typealias Client = DevelopmentAuthorizationServer.Client

    let state: ServerState
    let quirks: DevelopmentAuthorizationServer.Persona.DeviceQuirks

    func respond(to request: IncomingRequest) -> Answer {
        do throws(TokenError) {
            return TokenAnswer.encoded(try members(for: request), by: state.persona, to: request)
        } catch {
            return error.answer(from: state, to: request)
        }
    }

    private func members(for request: IncomingRequest) throws(TokenError) -> JSONObject {
        guard let form = state.parameters(of: request, encodedAs: state.persona.tokenRequests.encodings) else {
            throw TokenError(code: .invalidRequest, description: "The body is not encoded as this server takes it.", occasion: .device)
        }
        let names = form.parameters.map(\.name)
        guard Set(names).count == names.count else {
            throw TokenError(code: .invalidRequest, description: "A parameter occurs twice.", occasion: .device)
        }
        let client = try state.authenticateDevice(of: request, form: form)
        guard client.allowsDevices else {
            throw TokenError(code: .unauthorizedClient, description: "This client may not sign in by device.", occasion: .deviceFlow)
        }
        guard AuthorizationRequest.unknownScope(in: form, persona: state.persona) == nil else {
            throw TokenError(code: .invalidScope, description: "A scope is not known.", occasion: .device)
        }
        let scope = AuthorizationRequest.scope(in: form, of: client, persona: state.persona)
        let codes = state.devices.withLock { $0.open(clientID: client.id, scope: scope, quirks: quirks, at: state.now) }
        let page = state.issuer + quirks.pagePath
        var members = JSONObject()
        members["device_code"] = .string(codes.deviceCode)
        members["user_code"] = .string(codes.userCode)
        members[quirks.addressName] = .string(page)
        if quirks.givesCompleteAddress { members["verification_uri_complete"] = .string(page + "?user_code=" + codes.userCode) }
        members["expires_in"] = quirks.lifetime.inSeconds
        members["interval"] = quirks.interval.inSeconds
        return members
    }
}

extension ServerState {
    /// Authenticates the client of a device: with some personas, a client with a secret need not send it.
    func authenticateDevice(
        of request: IncomingRequest, form: FormParameters
    ) throws(TokenError) -> DevelopmentAuthorizationServer.Client {
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

extension Duration {
    /// The duration in seconds, as an integer if possible.
    var inSeconds: JSONValue {
        let (seconds, rest) = components
        return .number(rest == 0 ? JSONNumber(seconds) : JSONNumber(text: String(self / .seconds(1))))
    }
}
