import AuthHubPrimitives
public import HTTPTypes

/// What a request would need that the access token does not have: more scope (RFC 6750 §3.1), or a stronger or newer sign-in (RFC 9470).
///
/// All of it may be empty: a server need not say what it needs.
public struct StepUpRequirement: Sendable, Hashable {
    /// More than is granted, or all that is needed: servers do either.
    public var scope: Scope
    /// Authentication context classes of which one is needed, the preferred first.
    public var acrValues: [String]
    /// How many seconds ago the person may have signed in at most; 0 asks to sign in again.
    public var maximumAge: Int?

    public init(scope: Scope = [], acrValues: [String] = [], maximumAge: Int? = nil) {
        self.scope = scope
        self.acrValues = acrValues
        self.maximumAge = maximumAge
    }

    /// What a refusal says: status 401 or 403 with `insufficient_scope` or `insufficient_user_authentication` in a challenge of the
    /// scheme `Bearer` or `DPoP`.
    ///
    /// - Returns: nil for any other response. Another access token of the same sign-in would not help where there is such a need.
    public init?(_ head: HTTPResponse) {
        guard head.status == .unauthorized || head.status == .forbidden else { return nil }
        let needs = AuthenticationChallenge.challenges(of: head).compactMap(TokenChallenge.init).compactMap(StepUpRequirement.init)
        guard let first = needs.first else { return nil }
        self = needs.dropFirst().reduce(first) { $0.union($1) }
    }

    private init?(_ challenge: TokenChallenge) {
        guard challenge.error == .insufficientScope || challenge.error == .insufficientUserAuthentication else { return nil }
        self.init(scope: challenge.scope, acrValues: challenge.acrValues, maximumAge: challenge.maximumAge)
    }
}

extension StepUpRequirement {
    /// One that serves both. Where their lists of classes have nothing in common no sign-in can, and this one's stands.
    package func union(_ other: StepUpRequirement) -> StepUpRequirement {
        let common = acrValues.filter(other.acrValues.contains)
        let ages = [maximumAge, other.maximumAge].compactMap { $0 }
        return StepUpRequirement(
            scope: scope.union(other.scope),
            acrValues: acrValues.isEmpty ? other.acrValues : common.isEmpty ? acrValues : common,
            maximumAge: ages.min())
    }

    /// Whether who asks for this asks for all of the other.
    package func covers(_ other: StepUpRequirement) -> Bool {
        let age = other.maximumAge.map { limit in maximumAge.map { $0 <= limit } ?? false } ?? true
        let isInClass = other.acrValues.isEmpty || (!acrValues.isEmpty && Set(acrValues).isSubset(of: other.acrValues))
        return scope.missing(from: other.scope).isEmpty && isInClass && age
    }

    /// Visible ASCII, at most 200 characters; a list of them has spaces in between.
    static func isValid(acrValue: String) -> Bool {
        !acrValue.isEmpty && acrValue.utf8.count <= 200 && acrValue.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
