import AuthHubPrimitives
import Synchronization

extension TokenEndpoint {
    static let deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code"

    /// Returns the tokens for a device code, if the user has allowed access by now (RFC 8628 §3.4).
    func pollDevice(_ form: FormParameters, _ client: DevelopmentClient) throws(TokenError) -> IssuedTokens {
        guard let deviceCode = form["device_code"] else {
            throw TokenError(code: .invalidRequest, description: "The device_code is missing.", occasion: .device)
        }
        let now = state.now
        let outcome = state.devices.withLock { devices in
            Result { () throws(DeviceLedger.Refusal) in
                try devices.poll(deviceCode, clientID: client.id, resources: form.values(named: "resource"), at: now)
            }
        }
        switch outcome {
        case .success(let grant):
            let style = TokenStyle(state.persona.tokens(for: client), lifetimes: state.configuration.lifetimes)
            return state.grants.withLock { $0.issue(for: grant, style: style, at: now) }
        case .failure(let refusal):
            throw TokenError(device: refusal)
        }
    }

    /// Returns whether the form refreshes a device's token. Without a secret, a client may refresh only those, if the persona allows it.
    func isRefreshOfDevice(_ form: FormParameters) -> Bool {
        form["grant_type"] == "refresh_token"
            && form["refresh_token"].map { token in state.grants.withLock { $0.isFromDevice(refreshToken: token) } } ?? false
    }
}

extension TokenError {
    fileprivate init(device refusal: DeviceLedger.Refusal) {
        switch refusal {
        case .unknown: self.init(code: .invalidGrant, description: "The device code is unknown or was already used.", occasion: .deviceCode)
        case .resourceNotGranted: self.init(code: .invalidTarget, description: "A resource was not granted.", occasion: .device)
        case .pending: self.init(code: .authorizationPending, description: "The user has not decided yet.", occasion: .device)
        case .expired: self.init(code: .expiredToken, description: "The device code has expired.", occasion: .device)
        case .denied: self.init(code: .accessDenied, description: "The user denied access.", occasion: .device)
        case .tooSoon(let interval):
            self.init(code: .slowDown, description: "Too many requests in too little time.", occasion: .device, newInterval: interval)
        }
    }
}
