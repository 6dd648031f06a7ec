import HTTPTypes

extension NetworkTransport {
    /// The configuration of a transport: how it connects to servers, and which responses it accepts. The settings are validated when you
    /// create a transport with them.
    ///
    /// ```swift
    /// var configuration = NetworkTransport.Configuration()
    /// configuration.trustRoots = .pem(Array(try Data(contentsOf: file)))
    /// configuration.decompression = .gzip(upTo: 10_000_000)
    /// let transport = try NetworkTransport(configuration: configuration)
    /// ```
    public struct Configuration: Sendable {
        /// The maximum time to establish a connection, including name resolution, proxy, TCP and TLS; 10 seconds by default. The request's
        /// ``HTTPLoading/AttemptTimeout`` applies as well.
        public var connectTimeout: Duration = .seconds(10)
        /// The HTTP versions to use; HTTP/1.1 by default. Over HTTP/2, a malicious server can crash the process with a malformed status,
        /// because the underlying libraries trap.
        public var httpVersions = HTTPVersions.http1Only
        /// The proxy for all requests, even those to this machine; nil, the default, for none. Environment variables are ignored, except
        /// by ``fromEnvironment()``.
        public var proxy: Proxy?
        /// The proxies that depend on the request; nil for none. Unused if there is a ``proxy``.
        package var proxyRules: ProxyRules?
        /// The trusted certificate authorities; those of the system by default.
        public var trustRoots = TrustRoots.system
        /// The maximum number of concurrent connections to one host over HTTP/1.1; 8 by default. Additional requests wait. Over HTTP/2,
        /// there is one connection per host.
        public var connectionsPerHost = 8
        /// The `User-Agent` of requests that do not have this field.
        public var userAgent = NetworkTransport.defaultUserAgent
        /// Whether to request and decompress compressed bodies; off by default.
        public var decompression = Decompression.off
        /// IP addresses for host names, to be used instead of the system's name resolution, for example in tests. `Host` and the
        /// certificate check still use the name.
        public var addresses: [String: String] = [:]

        /// Creates a configuration in which every setting has its default value.
        public init() {}
    }

    /// The HTTP versions that a transport uses.
    public enum HTTPVersions: Sendable, Hashable {
        /// HTTP/2 if the server offers it over TLS (RFC 7301), otherwise HTTP/1.1.
        case automatic
        /// HTTP/1.1 only, even if the server offers HTTP/2.
        case http1Only
    }

    /// An error in a configuration. It names the setting and contains no secret.
    public struct ConfigurationError: Error, Hashable, CustomStringConvertible {
        public let description: String

        init(_ description: String) {
            self.description = description
        }
    }
}

extension NetworkTransport.Configuration {
    /// Checks the configuration, so that a setting that cannot work fails here and not at every request.
    ///
    /// - Throws: An error that names the setting.
    func check() throws(NetworkTransport.ConfigurationError) {
        guard connectTimeout > .zero else { throw .init("the connection timeout is not positive") }
        guard connectionsPerHost > 0 else { throw .init("the number of connections per host is not positive") }
        guard !userAgent.isEmpty, HTTPField.isValidValue(userAgent) else { throw .init("the user agent is not a valid header field value") }
        try proxy?.check()
        try decompression.check()
    }
}
