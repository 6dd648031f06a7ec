import AuthHubPrimitives

/// An endpoint that the browser is led to, whose own query must not hold parameters of the request: servers that read the first of two would
/// use the endpoint's (RFC 6749 §3.1).
enum EndpointQuery {
    /// The endpoint with the parameters added to its query.
    static func url(_ endpoint: String, adding query: FormParameters) -> String {
        endpoint + (endpoint.contains("?") ? "&" : "?") + query.encoded(spaces: .percent)
    }

    /// - Parameters:
    ///   - name: What the endpoint is, for the error.
    ///   - names: The names of parameters that the query must not hold, whatever their case.
    /// - Throws: ``OAuthError`` with `.configuration` that names the parameter, or for a query that is not form-encoded.
    static func check(_ endpoint: String, _ name: String, holdsNoneOf names: some Sequence<String>) throws(OAuthError) {
        guard let start = endpoint.firstIndex(of: "?") else { return }
        guard let own = try? FormParameters(decoding: endpoint[start...].dropFirst()) else {
            throw OAuthError(.configuration, "the query of the \(name) cannot be read")
        }
        let reserved = Set(names.map { $0.lowercased() })
        guard let double = own.parameters.first(where: { reserved.contains($0.name.lowercased()) }) else { return }
        throw OAuthError(
            .configuration,
            "the query of the \(name) sets the parameter \(displayable(double.name, limit: 60)), which the request sets itself; check the "
                + "server's metadata (RFC 6749 §3.1)")
    }
}
