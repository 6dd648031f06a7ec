import AuthHubPrimitives
import OAuthProtocol

/// The user whom the tokens of a sign-in belong to, stored with the tokens.
package struct SignedInUser: Sendable, Hashable {
    /// Where the server said who the user is.
    package enum Source: String, Sendable, Hashable {
        /// A verified ID token.
        case idToken = "id_token"
        /// The UserInfo endpoint of OpenID Connect, without an ID token.
        case userInfo = "userinfo"
        /// The account endpoint of a provider with its own format.
        case account = "account_endpoint"
    }

    /// The user's permanent identifier at the server.
    package let id: String
    /// The name by which the user is known at the server; nil if the server did not return one.
    package let name: String?
    package let source: Source

    package init(id: String, name: String?, source: Source) {
        self.id = id
        self.name = name
        self.source = source
    }
}

extension SignedInUser {
    /// Creates the user whom a verified ID token names.
    package init(_ token: IDToken) {
        let names = ["preferred_username", "email", "name"].lazy.compactMap { token.claims[$0]?.displayString }
        self.init(id: token.subject, name: names.first { !$0.isEmpty }, source: .idToken)
    }

    /// Whether this is certainly another user. UserInfo and ID tokens have the same identifiers (OpenID Connect Core 1.0 §5.3.2); those of
    /// an account endpoint cannot be compared with them.
    package func isDifferent(from old: SignedInUser) -> Bool {
        (source == .account) == (old.source == .account) && !id.hasSameBytes(as: old.id)
    }

    /// The member of a stored credential.
    var record: JSONValue {
        ["id": .string(id), "name": name.map(JSONValue.string) ?? .null, "source": .string(source.rawValue)]
    }

    /// Reads the member of a stored credential; nil if a newer program wrote it in another format.
    init?(record: JSONValue) {
        guard let id = record["id"]?.string, let source = record["source"]?.string.flatMap(Source.init(rawValue:)) else { return nil }
        self.init(id: id, name: record["name"]?.string, source: source)
    }
}
