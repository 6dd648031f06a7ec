extension ProviderQuirks {
    /// What every request to the provider's API needs besides the token.
    package struct APIQuirks: Sendable, Hashable {
        /// Header fields by name. `{client_id}` in a value stands for the client ID. A field that a request already has stays.
        package var headers: [String: String] = [:]

        package init() {}
    }
}
