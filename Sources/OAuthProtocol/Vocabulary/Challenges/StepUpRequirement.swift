import AuthHubPrimitives
package import HTTPTypes

/// What a resource requires and the access token lacks: more scope (RFC 6750 §3.1), or a stronger or more recent sign-in (RFC 9470).
///
/// All properties can be empty or nil, because a server may reject a token without saying what it requires.
public struct StepUpRequirement: Sendable, Hashable {
    /// The required scope. Some servers list the complete scope, others only the missing part.
    public var scope: Scope
    /// The accepted authentication context classes (`acr_values`), the preferred one first. The sign-in must meet one of them.
    public var acrValues: [String]
    /// The maximum number of seconds since the user last signed in (`max_age`); 0 means that the user must sign in again.
    public var maximumAge: Int?

    /// Creates a requirement; by default, it is empty.
    public init(scope: Scope = [], acrValues: [String] = [], maximumAge: Int? = nil) {
        self.scope = scope
        self.acrValues = acrValues
        self.maximumAge = maximumAge
    }

    /// Reads the requirement of a response: status 401 or 403 with `insufficient_scope` or `insufficient_user_authentication` in a
    /// challenge of the scheme `Bearer` or `DPoP`.
    ///
    /// - Returns: nil for any other response. If there is a requirement, another access token of the same sign-in would not help.
    package init?(_ head: HTTPResponse) {
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
    /// Returns a requirement that covers both. If their lists of classes have nothing in common, no sign-in can, and this list counts.
    package func union(_ other: StepUpRequirement) -> StepUpRequirement {
        let common = acrValues.filter(other.acrValues.contains)
        let ages = [maximumAge, other.maximumAge].compactMap { $0 }
        return StepUpRequirement(
            scope: scope.union(other.scope),
            acrValues: acrValues.isEmpty ? other.acrValues : common.isEmpty ? acrValues : common,
            maximumAge: ages.min())
    }

    /// Whether a sign-in that meets this requirement also meets another one.
    package func covers(_ other: StepUpRequirement) -> Bool {
        let age = other.maximumAge.map { limit in maximumAge.map { $0 <= limit } ?? false } ?? true
        let isInClass = other.acrValues.isEmpty || (!acrValues.isEmpty && Set(acrValues).isSubset(of: other.acrValues))
        return scope.missing(from: other.scope).isEmpty && isInClass && age
    }

    /// Whether a class is visible ASCII of at most 200 characters, so that spaces can separate a list of classes.
    static func isValid(acrValue: String) -> Bool {
        !acrValue.isEmpty && acrValue.utf8.count <= 200 && acrValue.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
