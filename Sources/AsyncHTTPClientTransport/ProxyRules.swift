package import AuthHubPrimitives

extension NetworkTransport {
    /// Decides which proxy, if any, a request is sent through.
    package struct ProxyRules: Sendable, Hashable {
        /// The proxy for https requests.
        package var https: Proxy?
        /// The proxy for http requests.
        package var http: Proxy?
        /// The hosts that are reached without a proxy.
        package var exceptions = ProxyExceptions("")

        /// Whether no request is sent through a proxy.
        package var isEmpty: Bool { https == nil && http == nil }

        var proxies: Set<Proxy> { Set([https, http].compactMap(\.self)) }

        /// Returns the proxy for an origin; nil to connect directly, always for this machine.
        package func proxy(for origin: Origin) -> Proxy? {
            guard !origin.isLoopback, !exceptions.contains(origin) else { return nil }
            return origin.scheme == "https" ? https : http
        }
    }
}

extension NetworkTransport.ProxyRules {
    /// Reads the rules from environment variables.
    ///
    /// - Parameter proxy: The URL of the proxy for all requests, instead of those in the environment; empty for none.
    /// - Throws: An error that names the variable or option.
    package init(environment: [String: String], proxy: String? = nil) throws(NetworkTransport.ConfigurationError) {
        if let proxy {
            https = try Self.proxy(proxy, named: "--proxy")
            http = https
        } else {
            let all = Self.variable(in: environment, "ALL_PROXY")
            https = try Self.proxy(Self.variable(in: environment, "HTTPS_PROXY") ?? all)
            http = try Self.proxy(environment["http_proxy"].map { ("http_proxy", $0) } ?? all)
        }
        exceptions = ProxyExceptions(Self.variable(in: environment, "NO_PROXY")?.value ?? "")
    }

    /// Returns a variable by its name in lower case or else in capitals, as curl does. An empty one counts, too: it turns the proxy off.
    private static func variable(in environment: [String: String], _ name: String) -> (name: String, value: String)? {
        [name.lowercased(), name].lazy.compactMap { name in environment[name].map { (name, $0) } }.first
    }

    private static func proxy(_ variable: (name: String, value: String)?) throws(NetworkTransport.ConfigurationError) -> NetworkTransport
        .Proxy?
    {
        guard let variable else { return nil }
        return try proxy(variable.value, named: variable.name)
    }

    private static func proxy(_ url: String, named name: String) throws(NetworkTransport.ConfigurationError) -> NetworkTransport.Proxy? {
        url.isEmpty ? nil : try NetworkTransport.Proxy(url: url, named: name)
    }
}
