public import AuthHubPrimitives

/// The document that a client without a registration publishes about itself, and whose address is its client id (OAuth Client ID Metadata
/// Document, draft).
public struct ClientIDDocument: Sendable {
    public let address: String
    public let members: JSONObject

    /// Looks for what servers would refuse, before it is published; empty where nothing was found. In words that may be shown (§3, §4).
    public let findings: [String]

    public init(_ members: JSONObject, at address: String) {
        self.address = address
        self.members = members
        findings = Self.findings(at: address) + Self.findings(in: members, at: address)
    }

    private static func findings(at address: String) -> [String] {
        guard let target = RequestTarget(address), target.scheme == "https" else {
            return ["the address is no https URL without user information"]
        }
        var findings: [String] = []
        let path = target.path.prefix { $0 != "?" }
        if path == "/" { findings.append("the address has no path") }
        if path.hasDotSegment { findings.append("the address has dots for a part of its path") }
        if address.contains("#") { findings.append("the address has a fragment") }
        return findings
    }

    private static func findings(in members: JSONObject, at address: String) -> [String] {
        var findings: [String] = []
        if members["client_id"]?.string?.hasSameBytes(as: address) != true { findings.append("client_id is not the document's address") }
        if let method = members["token_endpoint_auth_method"]?.string, method.hasPrefix("client_secret_") {
            findings.append("token_endpoint_auth_method is \(displayable(method, limit: 60)): there is no secret that both sides have")
        }
        for member in ["client_secret", "client_secret_expires_at"] where members[member] != nil {
            findings.append("\(member) has no place in a document that everyone can read")
        }
        return findings
    }
}
