extension ProviderQuirks {
    /// The header fields that every request to the provider's API needs in addition to the token.
    package struct APIQuirks: Sendable, Hashable {
        /// Header fields by name. `{client_id}` in a value is replaced with the client ID. A field that a request already has is left
        /// unchanged.
        package var headers: [String: String] = [:]

        package init() {}
    }
}
