import AuthHubPrimitives

extension ServerMetadata {
    /// Returns this metadata with the endpoints that only another document of the same issuer names.
    ///
    /// An issuer may serve one document for OAuth (RFC 8414 §3) and another for OpenID Connect (Discovery 1.0 §4), each without the
    /// endpoints of the other. Nothing in this document is replaced: members that differ become ``diagnostics``. An endpoint is added
    /// together with the members that describe it, such as `revocation_endpoint_auth_methods_supported`.
    ///
    /// - Parameter other: Metadata of the same issuer, which was checked when it was read.
    package func completed(by other: ServerMetadata) -> ServerMetadata {
        var endpoints = endpoints
        var members = members
        for name in Endpoints.Name.allCases where endpoints[name] == nil {
            guard let address = other.endpoints[name] else { continue }
            endpoints[name] = address
            members[name.rawValue] = .string(address)
            for member in other.members.members where member.name.hasPrefix("\(name.rawValue)_") && members[member.name] == nil {
                members[member.name] = member.value
            }
        }
        let contradictions = other.members.members.compactMap { member -> MetadataDiagnostic? in
            guard let own = self.members[member.name], !own.says(the: member.value) else { return nil }
            let diagnostic = MetadataDiagnostic(member.name, .contradicted)
            return diagnostics.contains(diagnostic) ? nil : diagnostic
        }
        return ServerMetadata(issuer: issuer, endpoints: endpoints, members: members, diagnostics: diagnostics + contradictions)
    }
}

extension JSONValue {
    /// Whether two members mean the same: lists of supported values have no order.
    fileprivate func says(the same: JSONValue) -> Bool {
        if self == same { return true }
        guard let texts, let others = same.texts else { return false }
        return Set(texts) == Set(others)
    }
}
