import AuthHubPrimitives

/// The query of an endpoint that the browser opens. It must not have parameters of the request, because servers that read the first of
/// two values would use the endpoint's (RFC 6749 §3.1).
enum EndpointQuery {
    /// Returns the endpoint with the parameters added to its query.
    static func url(_ endpoint: String, adding query: FormParameters) -> String {
        endpoint + (endpoint.contains("?") ? "&" : "?") + query.encoded(spaces: .percent)
    }

    /// Checks that the query has none of the request's parameters.
    ///
    /// - Parameters:
    ///   - name: The name of the endpoint, for the error.
    ///   - names: The names of the parameters, compared without case.
    /// - Throws: ``OAuthError`` with `.configuration` that names the parameter, or if the query is not form-encoded.
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
