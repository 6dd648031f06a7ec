import AuthHubPrimitives

/// A member of a metadata document that was ignored, and why. The rest of the document is used.
package struct MetadataDiagnostic: Sendable, Hashable {
    /// The reason that a member was ignored, completely or in part.
    package enum Reason: Sendable, Hashable {
        /// The member has the wrong type and counts as absent (RFC 8414 §2). `expected` is the right type, such as `a list of texts`.
        case wrongType(expected: String)
        /// Some elements of the list are not strings; the others are used.
        case partlyWrongType
        /// The endpoint counts as absent: it is not an absolute https URL without user information and fragment (RFC 6749 §3.1, §3.2).
        case unusableURL
        /// Signed metadata is not verified, so it is ignored (RFC 8414 §2.1, RFC 9728 §2.2).
        case notVerified
        /// The value `none` counts as absent: tokens without a signature are never accepted (OpenID Connect Discovery 1.0 §3).
        case unsignedIsNeverAccepted
        /// Another document of the same issuer has another value; the first document's value is used.
        case contradicted
    }

    /// The name of the member, cleaned for display, at most 100 characters.
    package let member: String
    /// The reason that the member was ignored.
    package let reason: Reason

    /// Whether the whole member counts as absent, so that another document of the same issuer may have it.
    var countsAsAbsent: Bool {
        switch reason {
        case .wrongType, .unusableURL: true
        case .partlyWrongType, .notVerified, .unsignedIsNeverAccepted, .contradicted: false
        }
    }

    init(_ member: String, _ reason: Reason) {
        self.member = displayable(member, limit: 100)
        self.reason = reason
    }
}

extension MetadataDiagnostic: CustomStringConvertible {
    public var description: String {
        switch reason {
        case .wrongType(let expected): "\(member) is ignored: it is not \(expected)"
        case .partlyWrongType: "the values of \(member) that are not strings are ignored"
        case .unusableURL: "\(member) is ignored: it must be an https URL without user information or fragment"
        case .notVerified: "\(member) is ignored: its signature is not verified"
        case .contradicted: "\(member) differs between the documents of this issuer; the first document's value is used"
        case .unsignedIsNeverAccepted: "“none” in \(member) is ignored: unsigned values are never accepted"
        }
    }
}
