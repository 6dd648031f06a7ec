import AuthHubPrimitives

extension ServerMetadata {
    /// Returns this metadata with the members that only another document of the same issuer has.
    ///
    /// An issuer may serve one document for OAuth (RFC 8414 §3) and another for OpenID Connect (Discovery 1.0 §4), each without members of
    /// the other. Nothing in this document is replaced, except for members of the wrong type, which count as absent: members that differ
    /// become ``diagnostics``.
    ///
    /// - Parameter other: Metadata of the same issuer, which was checked when it was read.
    package func completed(by other: ServerMetadata) -> ServerMetadata {
        var endpoints = endpoints
        for name in Endpoints.Name.allCases where endpoints[name] == nil { endpoints[name] = other.endpoints[name] }
        let ignored = Set(diagnostics.filter(\.countsAsAbsent).map(\.member))
        var members = JSONObject()
        var known: [String: JSONValue] = [:]
        for member in self.members.members where member.value != .null && !ignored.contains(member.name) {
            members.appendUnchecked(member.name, member.value)
            known[member.name] = member.value
        }
        var contradictions: [MetadataDiagnostic] = []
        for member in other.members.members where member.value != .null {
            guard let own = known[member.name] else {
                members.appendUnchecked(member.name, member.value)
                continue
            }
            guard !own.says(the: member.value) else { continue }
            let diagnostic = MetadataDiagnostic(member.name, .contradicted)
            if !diagnostics.contains(diagnostic) { contradictions.append(diagnostic) }
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
