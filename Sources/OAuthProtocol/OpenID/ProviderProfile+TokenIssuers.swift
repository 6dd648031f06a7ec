import AuthHubPrimitives

extension ProviderProfile {
    /// Returns whether this server's ID tokens may name an issuer. If the issuer depends on the user's tenant, any tenant is accepted.
    package func mayIssueIDTokens(as issuer: String) -> Bool {
        // The metadata may name the issuer with a slash at its end.
        if let own = self.issuer.flatMap({ try? Issuer($0, transport: transport) }), own.isNamed(issuer) { return true }
        return ([idTokenIssuer].compactMap(\.self) + quirks.identity.otherIssuers).contains { template in
            guard let open = template.firstIndex(of: "{"), let close = template[open...].firstIndex(of: "}") else {
                return issuer.hasSameBytes(as: template)
            }
            let rest = template[close...].utf8.count - 1
            var claims = JSONObject()
            claims["tid"] = .string(String(Substring(issuer.utf8.dropFirst(template[..<open].utf8.count).dropLast(rest))))
            return (try? ClaimsReader(claims: claims).filledIn(template))?.hasSameBytes(as: issuer) ?? false
        }
    }
}
