package import HTTPTypes
import OAuthProtocol

/// What a resource requires of a request, as a value that does not depend on how a challenge is written: two challenges for the same scope
/// are the same requirement, whatever else their text says.
package struct AccessRequirement: Sendable, Hashable {
    /// Whether any token of the present sign-in lacks something: more scope, or a stronger or more recent sign-in.
    package let isStepUp: Bool
    private let schemes: Set<TokenChallenge.Scheme>
    private let scope: Set<String>
    private let acrValues: Set<String>
    private let maximumAge: Int?

    /// Creates the requirement of a response.
    ///
    /// - Returns: nil if the response requires no sign-in.
    package init?(_ head: HTTPResponse) {
        let stepUp = StepUpRequirement(head)
        guard head.status == .unauthorized || stepUp != nil else { return nil }
        let challenges = AuthenticationChallenge.challenges(of: head).compactMap(TokenChallenge.init)
        // An error code such as `invalid_token` does not change what a sign-in has to achieve: a token that the resource accepts.
        isStepUp = stepUp != nil
        schemes = Set(challenges.map(\.scheme))
        scope = Set(challenges.flatMap(\.scope.names))
        acrValues = Set(stepUp?.acrValues ?? [])
        maximumAge = stepUp?.maximumAge
    }
}
