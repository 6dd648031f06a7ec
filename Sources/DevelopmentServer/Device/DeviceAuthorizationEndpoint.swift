import AuthHubPrimitives
import HTTPTypes
import Synchronization

/// The endpoint that issues codes to devices (RFC 8628 §3.1).
struct DeviceAuthorizationEndpoint: Sendable {
    let state: ServerState
    let quirks: Persona.DeviceQuirks

    func respond(to request: IncomingRequest) -> Answer {
        do throws(TokenError) {
            return TokenAnswer.encoded(try members(for: request), by: state.persona, to: request)
        } catch {
            return error.answer(from: state, to: request)
        }
    }

    private func members(for request: IncomingRequest) throws(TokenError) -> JSONObject {
        guard let form = state.parameters(of: request, encodedAs: state.persona.tokenRequests.encodings) else {
            throw TokenError(
                code: .invalidRequest, description: "This server does not accept the encoding of the body.", occasion: .device)
        }
        let names = form.parameters.map(\.name).filter { !TokenEndpoint.repeatable.contains($0) }
        guard Set(names).count == names.count else {
            throw TokenError(code: .invalidRequest, description: "A parameter occurs twice.", occasion: .device)
        }
        let client = try state.authenticateDevice(of: request, form: form)
        guard client.allowsDevices else {
            throw TokenError(code: .unauthorizedClient, description: "This client may not use the device flow.", occasion: .deviceFlow)
        }
        guard AuthorizationRequest.unknownScope(in: form, persona: state.persona) == nil else {
            throw TokenError(code: .invalidScope, description: "A scope is unknown.", occasion: .device)
        }
        let resources = form.values(named: "resource")
        if let problem = AuthorizationRequest.resourceProblem(resources) {
            throw TokenError(code: .invalidTarget, description: problem, occasion: .device)
        }
        let details = try TokenEndpoint(state: state).details(in: form)
        let scope = AuthorizationRequest.scope(in: form, of: client, persona: state.persona)
        let codes = state.devices.withLock {
            $0.open(clientID: client.id, scope: scope, resources: resources, details: details, quirks: quirks, at: state.now)
        }
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
    var deviceAuthorizationEndpoint: String? { persona.device.map { issuer + $0.authorizationPath } }
}
