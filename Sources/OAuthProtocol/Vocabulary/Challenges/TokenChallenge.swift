import AuthHubPrimitives

/// Why a resource server rejects an access token, or requires one: a challenge of the scheme `Bearer` (RFC 6750 §3) or `DPoP`
/// (RFC 9449 §7.1).
package struct TokenChallenge: Sendable, Hashable {
    /// The authentication scheme of a challenge.
    package enum Scheme: Sendable, Hashable {
        case bearer, dpop
    }

    /// The scheme with which the resource server accepts tokens.
    package let scheme: Scheme
    /// The error code; nil if the request had no token (RFC 6750 §3.1).
    package let error: ServerErrorCode?
    /// The explanation, cleaned for display, at most 500 characters.
    package let errorDescription: String?
    /// The realm, cleaned for display, at most 200 characters.
    package let realm: String?
    /// The scope that the resource needs; empty if the challenge does not say.
    package let scope: Scope
    /// The authentication context classes of which one is needed, the preferred first (RFC 9470 §3): at most 16 of at most 200 characters.
    package let acrValues: [String]
    /// The most seconds since the user signed in (RFC 9470 §3).
    package let maximumAge: Int?
    /// The signature algorithms for proofs (RFC 9449 §7.1): at most 32.
    package let algorithms: [String]
    /// The URL of the resource's metadata (RFC 9728 §5.1): an absolute http or https URL of at most 2000 characters. It is not
    /// trustworthy; see ``HostPolicy``.
    package let resourceMetadata: String?

    /// - Returns: nil if the challenge has any other scheme.
    package init?(_ challenge: AuthenticationChallenge) {
        switch challenge.scheme {
        case "bearer": scheme = .bearer
        case "dpop": scheme = .dpop
        default: return nil
        }
        let parameters = challenge.parameters
        error = parameters["error"].flatMap { $0.isEmpty ? nil : ServerErrorCode(rawValue: displayable($0, limit: 100)) }
        errorDescription = parameters["error_description"].map { displayable($0, limit: 500) }
        realm = parameters["realm"].map { displayable($0, limit: 200) }
        scope = Scope(parameters["scope"] ?? "")
        acrValues = Self.list(parameters["acr_values"], limit: 16).filter { StepUpRequirement.isValid(acrValue: $0) }
        maximumAge = parameters["max_age"].flatMap(Self.seconds)
        algorithms = Self.list(parameters["algs"], limit: 32)
        resourceMetadata = parameters["resource_metadata"].flatMap { url in
            url.utf8.count <= 2000 && !url.contains("#") && Origin(url: url) != nil ? url : nil
        }
    }

    private static func list(_ text: String?, limit: Int) -> [String] {
        text?.split(separator: " ").prefix(limit).map(String.init) ?? []
    }

    private static func seconds(_ text: String) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}

extension ServerErrorCode {
    /// The access token is unknown, expired or revoked (RFC 6750 §3.1).
    package static let invalidToken = Self(rawValue: "invalid_token")
    /// The request needs more than the access token grants (RFC 6750 §3.1).
    package static let insufficientScope = Self(rawValue: "insufficient_scope")
    /// The user must sign in again, or by other means (RFC 9470 §3).
    package static let insufficientUserAuthentication = Self(rawValue: "insufficient_user_authentication")
}
