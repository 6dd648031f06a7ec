extension Persona {
    func tokens(for client: DevelopmentClient) -> TokenQuirks {
        tokensByKind[client.kind] ?? tokens
    }

    /// Whether what a device gets may be refreshed. There is no authorization request whose parameters could ask for it.
    func mayBeRefreshed(_ scope: [String], of client: DevelopmentClient) -> Bool {
        switch tokens(for: client).refreshTokens {
        case .always, .forParameter: true
        case .never: false
        case .forScope(let name): scope.contains(name)
        }
    }
}
