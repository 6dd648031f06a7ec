/// Whether an ``AuthorizeLoader`` adds its credential to a request that the ``Authorizer`` covers.
enum CredentialRule: RequestOption, Sendable, Hashable {
    case ifCovered
    /// Never, because a server that gets no credential has chosen the request.
    case none

    static var defaultValue: CredentialRule { .ifCovered }

    static func identity(of value: CredentialRule) -> (any Hashable & Sendable)? { value }
}
