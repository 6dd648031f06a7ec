import HTTPTypes

extension NetworkTransport {
    /// How a transport reaches servers, and what it takes from them. A value: nothing is opened or checked before a transport is made of it.
    ///
    /// ```swift
    /// var configuration = NetworkTransport.Configuration()
    /// configuration.trustRoots = .pem(Array(try Data(contentsOf: file)))
    /// configuration.decompression = .gzip(upTo: 10_000_000)
    /// let transport = try NetworkTransport(configuration: configuration)
    /// ```
    public struct Configuration: Sendable {
        /// How long a connection may take to come about: name, proxy, TCP and TLS together. 10 seconds; the request's
        /// ``HTTPLoading/AttemptTimeout`` holds besides.
        public var connectTimeout: Duration = .seconds(10)
        /// HTTP/1.1 by default: over HTTP/2 a hostile server can end the process with a malformed status, at which the libraries below trap.
        public var httpVersions = HTTPVersions.http1Only
        /// Nil, the default, for none. No environment variable is looked at.
        public var proxy: Proxy?
        /// Those of the machine, by default.
        public var trustRoots = TrustRoots.system
        /// How many connections are open at a time to one host over HTTP/1.1; what is beyond waits. 8. HTTP/2 takes one.
        public var connectionsPerHost = 8
        /// What a request without a `User-Agent` field of its own says.
        public var userAgent = NetworkTransport.defaultUserAgent
        /// Off, by default.
        public var decompression = Decompression.off
        /// IP addresses for names of hosts that the system is not to be asked for, such as a test's own. `Host` and certificates go by the
        /// name all the same.
        public var addresses: [String: String] = [:]

        public init() {}
    }

    /// Which versions of HTTP a transport speaks.
    public enum HTTPVersions: Sendable, Hashable {
        /// HTTP/2 where a server offers it over TLS (RFC 7301), else HTTP/1.1.
        case automatic
        /// HTTP/1.1, whatever the server offers.
        case http1Only
    }

    /// Why no transport can be made of a configuration. Names the setting, and no secret.
    public struct ConfigurationError: Error, Hashable, CustomStringConvertible {
        public let description: String

        init(_ description: String) {
            self.description = description
        }
    }
}

extension NetworkTransport.Configuration {
    /// - Throws: for a setting that cannot work, instead of at every request.
    func check() throws(NetworkTransport.ConfigurationError) {
        guard connectTimeout > .zero else { throw .init("the connection timeout is not positive") }
        guard connectionsPerHost > 0 else { throw .init("the number of connections per host is not positive") }
        guard !userAgent.isEmpty, HTTPField.isValidValue(userAgent) else { throw .init("the user agent is not a valid header field value") }
        try proxy?.check()
        try decompression.check()
    }
}
