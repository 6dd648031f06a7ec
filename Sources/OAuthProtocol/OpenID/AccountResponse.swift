import AuthHubPrimitives

/// The response of a provider's account endpoint: who the access token belongs to.
///
/// For providers without OpenID Connect, it is the only statement about the user. It is not signed.
package struct AccountResponse: Sendable, Equatable {
    /// The user's permanent identifier at the provider.
    package let id: String
    /// The name by which the user is known; nil if the response has none.
    package let name: String?

    /// Reads a response with the status 200.
    ///
    /// - Returns: nil if the response does not name a user in the provider's format, or describes an error.
    package init?(_ body: [UInt8], from profile: ProviderProfile) {
        let quirks = profile.quirks.account
        guard let object = try? JSONValue(received: body).object, let id = Self.text(object[quirks.id ?? "sub"]) else { return nil }
        // Some servers return an error with the status 200. Other formats may have such a member in every response.
        guard quirks.id != nil || object["error"].map({ $0 == .null }) ?? true else { return nil }
        self.id = id
        let names: [MemberPath] = quirks.name.map { [$0] } ?? ["preferred_username", "email", "name"]
        name = names.lazy.compactMap { Self.text(object[$0]?.forDisplay) }.first
    }

    /// Many providers have numbers as identifiers.
    private static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text.isEmpty || text.utf8.count > limit ? nil : text
        case .number(let number): number.int64.map { String($0) }
        default: nil
        }
    }

    private static let limit = 1024
}
