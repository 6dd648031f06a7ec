package import AuthHubPrimitives
package import Platform

/// Why an ID token or another signed message is rejected.
package struct ClaimProblem: Error {
    package let explanation: String
    /// Whether the token was valid at another time.
    package let isAboutTime: Bool

    init(_ explanation: String, isAboutTime: Bool = false) {
        self.explanation = explanation
        self.isAboutTime = isAboutTime
    }
}

/// Reads the standard claims of a verified token.
package struct ClaimsReader {
    let claims: JSONObject

    package init(claims: JSONObject) {
        self.claims = claims
    }

    package func text(_ name: String) throws(ClaimProblem) -> String {
        guard let text = claims[name]?.string else { throw ClaimProblem("its \(name) is missing or not a string") }
        return text
    }

    /// OpenID Connect Core 1.0 §2.
    func subject() throws(ClaimProblem) -> String {
        let subject = try text("sub")
        guard !subject.isEmpty, subject.utf8.count <= 255 else { throw ClaimProblem("its sub is empty or longer than 255 characters") }
        return subject
    }

    /// One audience as a string, or several as an array of strings.
    package func audience() throws(ClaimProblem) -> [String] {
        switch claims["aud"] {
        case .string(let one): return [one]
        case .array(let many):
            let texts = many.compactMap(\.string)
            guard !texts.isEmpty, texts.count == many.count else { break }
            return texts
        default: break
        }
        throw ClaimProblem("its aud is missing, or neither a string nor an array of strings")
    }

    /// A number of seconds since 1970, which may have a fraction (RFC 7519 §2).
    func time(_ name: String) throws(ClaimProblem) -> Date {
        guard let time = try optionalTime(name) else { throw ClaimProblem("its \(name) is missing") }
        return time
    }

    package func optionalTime(_ name: String) throws(ClaimProblem) -> Date? {
        guard let value = claims[name], value != .null else { return nil }
        guard let seconds = value.number?.double, abs(seconds) <= Self.latestTime else {
            throw ClaimProblem("its \(name) is not a time in seconds")
        }
        return Date(timeIntervalSince1970: seconds)
    }

    /// An issuer whose part in braces, if it has one, is the user's tenant: the claim `tid`, which must not change the URL's structure.
    func filledIn(_ issuer: String) throws(ClaimProblem) -> String {
        // Most issuers have no brace, and searching for a byte is faster than searching for a character.
        guard issuer.count(of: UInt8(ascii: "{")) > 0, let open = issuer.firstIndex(of: "{"),
            let close = issuer[open...].firstIndex(of: "}")
        else { return issuer }
        let tenant = try text("tid")
        guard !tenant.isEmpty, tenant.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }) else {
            throw ClaimProblem("its tid is not the name of a tenant")
        }
        return issuer[..<open] + tenant + issuer[issuer.index(after: close)...]
    }

    /// Checks that a key may sign for an issuer. A server with several tenants may publish keys that are for only one of them.
    func checkKey(of keyIssuer: String?, signing issuer: String) throws(ClaimProblem) {
        guard let keyIssuer, try !issuer.hasSameBytes(as: filledIn(keyIssuer)) else { return }
        throw ClaimProblem("it is signed with a key of another issuer, \"\(displayable(keyIssuer, limit: 200))\"")
    }

    /// Times after this one cannot be compared to the second.
    private static let latestTime = 0x1p52
}
