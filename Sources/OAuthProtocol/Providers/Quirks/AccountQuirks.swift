extension ProviderQuirks {
    /// How the provider's account endpoint describes the signed-in user, if not with the claims of OpenID Connect.
    package struct AccountQuirks: Sendable, Hashable {
        /// The member of the response with the user's permanent identifier; nil for `sub`.
        package var id: MemberPath?
        /// The member with the name by which the user is known at the provider; nil for the usual claims.
        package var name: MemberPath?
        /// The GraphQL query that the endpoint needs, which is then sent as a POST request; nil for a GET request.
        package var query: String?

        package init() {}

        /// Creates the quirks of an endpoint that returns an object with these members.
        package init(id: MemberPath, name: MemberPath, query: String? = nil) {
            self.id = id
            self.name = name
            self.query = query
        }
    }
}
