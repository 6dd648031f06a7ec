public import AuthHubPrimitives

/// Claims about the user to request by name, in addition to those that the scope stands for (OpenID Connect Core 1.0 §5.5).
///
/// ```swift
/// var claims = ClaimsRequest()
/// claims.request("email", in: .userInfo, isEssential: true)
/// claims.request("family_name", language: "ja-Kana-JP", in: .userInfo)
/// claims.request("acr", in: .idToken, isEssential: true, values: ["urn:mace:incommon:iap:silver"])
/// ```
///
/// A server may ignore the request, and need not return a claim even if it is essential. Only two requests are checked, in the ID token: an
/// essential `acr` with values, and a `sub` with values. If the ID token has none of the values, the sign-in fails.
public struct ClaimsRequest: Sendable, Hashable {
    /// The message in which the server returns a claim.
    public enum Place: Sendable, Hashable {
        /// In the response of the UserInfo endpoint.
        case userInfo
        /// In the ID token.
        case idToken
    }

    struct Claim: Sendable, Hashable {
        let place: Place
        let name: String
        let language: String?
        let isEssential: Bool
        let values: [JSONValue]

        var member: String { language.map { "\(name)#\($0)" } ?? name }
    }

    private var claims: [Claim] = []

    /// Creates a request for no claims.
    public init() {}

    /// Adds a claim, or replaces the earlier request for it.
    ///
    /// - Parameters:
    ///   - name: The name of the claim, such as `email`.
    ///   - language: The language of the claim as a language tag (BCP 47), such as `ja-Kana-JP`; nil for the server's choice (§5.2).
    ///   - place: The message in which the server should return the claim.
    ///   - isEssential: Whether the program needs the claim.
    ///   - values: The values that the program accepts, the preferred one first; empty for any value.
    public mutating func request(
        _ name: String, language: String? = nil, in place: Place, isEssential: Bool = false, values: [JSONValue] = []
    ) {
        let claim = Claim(place: place, name: name, language: language, isEssential: isEssential, values: values)
        claims.removeAll { $0.place == place && $0.member.hasSameBytes(as: claim.member) }
        claims.append(claim)
    }
}

extension ClaimsRequest {
    package var isEmpty: Bool { claims.isEmpty }

    /// The value of the parameter `claims`.
    var json: JSONValue {
        var request = JSONObject()
        for (place, name) in [(Place.userInfo, "userinfo"), (.idToken, "id_token")] {
            var members = JSONObject()
            for claim in claims where claim.place == place { members[claim.member] = claim.json }
            if !members.members.isEmpty { request[name] = .object(members) }
        }
        return .object(request)
    }

    /// Whether the sign-in fails unless the ID token has certain values.
    package var hasRequirements: Bool { !requiredContextClasses.isEmpty || !requiredSubjects.isEmpty }

    /// The authentication context classes of which the ID token must have one (§5.5.1.1); empty if none is required.
    var requiredContextClasses: [String] {
        claims.first { $0.isInIDToken("acr") && $0.isEssential }?.values.compactMap(\.string) ?? []
    }

    /// The identifiers of the users whom the ID token may name (§5.5.1); empty for any user.
    var requiredSubjects: [String] {
        claims.first { $0.isInIDToken("sub") }?.values.compactMap(\.string) ?? []
    }

    /// The request without the authentication context class, which another parameter requests.
    var withoutContextClass: Self {
        var request = self
        request.claims.removeAll { $0.isInIDToken("acr") }
        return request
    }

    /// - Throws: ``OAuthError`` with `.misuse` if a name or a language cannot be part of a request, or if a value that has to be checked is
    ///   not a string.
    func check() throws(OAuthError) {
        for claim in claims {
            guard !claim.name.isEmpty, !claim.name.contains("#") else {
                throw OAuthError(.misuse, "the name of a requested claim is empty or contains #; set the language separately")
            }
            guard claim.language.map(Self.isLanguageTag) ?? true else {
                throw OAuthError(.misuse, "the language of the claim \(displayable(claim.name, limit: 60)) is not a language tag")
            }
            guard !(claim.isInIDToken("acr") || claim.isInIDToken("sub")) || claim.values.allSatisfy({ $0.string != nil }) else {
                throw OAuthError(.misuse, "a requested value of the claim \(claim.name) is not a string")
            }
        }
    }

    private static func isLanguageTag(_ text: String) -> Bool {
        text.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { part in
            (1...8).contains(part.utf8.count) && part.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
        }
    }
}

extension ClaimsRequest.Claim {
    fileprivate func isInIDToken(_ name: String) -> Bool { place == .idToken && member == name }

    fileprivate var json: JSONValue {
        var members = JSONObject()
        if isEssential { members["essential"] = true }
        switch values.count {
        case 0: break
        case 1: members["value"] = values[0]
        default: members["values"] = .array(values)
        }
        return members.members.isEmpty ? .null : .object(members)
    }
}
