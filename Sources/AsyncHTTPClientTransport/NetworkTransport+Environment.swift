import AuthHubPrimitives
import Platform

extension NetworkTransport.Configuration {
    /// Creates a configuration with the proxies and certificate authorities that the user set for the programs of this machine.
    ///
    /// Reads the same variables as curl: `https_proxy` or `HTTPS_PROXY`, `http_proxy` (only in lower case, because a web server gives its
    /// scripts an `HTTP_PROXY` that the client chose), `all_proxy` or `ALL_PROXY`, and `no_proxy` or `NO_PROXY`. Requests to this machine
    /// (`localhost`, 127.0.0.0/8 and ::1) are never sent to a proxy. `SSL_CERT_FILE` names a PEM file with the only certificate authorities
    /// to trust.
    ///
    /// - Throws: ``NetworkTransport/ConfigurationError`` if a variable has an unusable value. The error names the variable, but does not
    ///   repeat the value, which may contain a password.
    public static func fromEnvironment() throws(NetworkTransport.ConfigurationError) -> Self {
        try Self(environment: ProcessInfo.processInfo.environment)
    }

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - proxy: The URL of the proxy for all requests, instead of those in the environment; empty for none.
    ///   - authorities: The path of a PEM file, instead of the one in the environment.
    package init(
        environment: [String: String], proxy: String? = nil, authorities: String? = nil
    ) throws(NetworkTransport.ConfigurationError) {
        let rules = try NetworkTransport.ProxyRules(environment: environment, proxy: proxy)
        proxyRules = rules.isEmpty ? nil : rules
        if let authorities {
            trustRoots = .file(authorities, named: "--ca-file")
        } else if let path = environment["SSL_CERT_FILE"], !path.isEmpty {
            trustRoots = .file(path, named: "SSL_CERT_FILE")
        }
    }
}
