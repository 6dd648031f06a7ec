import AuthHubPrimitives

extension ServerState {
    /// Returns the parameters of a request to an endpoint for machines, in one of the encodings that the endpoint accepts; nil for any
    /// other.
    func parameters(
        of request: IncomingRequest, encodedAs encodings: Set<Persona.TokenRequestQuirks.Encoding>
    ) -> FormParameters? {
        if encodings.contains(.form), let form = request.form { return form }
        if encodings.contains(.json), let members = request.json?.object?.members {
            return FormParameters(members.compactMap { member in member.value.string.map { .init(name: member.name, value: $0) } })
        }
        return encodings.contains(.query) ? request.queryParameters : nil
    }
}
