extension Persona {
    func tokens(for client: DevelopmentClient) -> TokenQuirks {
        tokensByKind[client.kind] ?? tokens
    }

    /// Whether the tokens of a device can be refreshed. The device flow has no authorization request with a parameter for this.
    func mayBeRefreshed(_ scope: [String], of client: DevelopmentClient) -> Bool {
        switch tokens(for: client).refreshTokens {
        case .always, .forParameter: true
        case .never: false
        case .forScope(let name): scope.contains(name)
        }
    }
}
