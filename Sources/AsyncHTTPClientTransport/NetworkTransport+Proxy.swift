import AsyncHTTPClient
public import AuthHubPrimitives

extension NetworkTransport {
    /// A proxy server that connects to servers for the client.
    ///
    /// All requests are sent through a tunnel (RFC 9110 §9.3.6), even those to http URLs. The proxy therefore cannot read the header fields
    /// of https requests, and servers never receive the header fields for the proxy. If a proxy does not allow tunnels to port 80, only
    /// https works.
    public struct Proxy: Sendable, Hashable {
        /// A user ID and a password for the proxy (RFC 7617). They are only sent to the proxy, with the request for each tunnel.
        public struct Credentials: Sendable, Hashable {
            /// The user ID, without colons and control characters.
            package let userID: String
            /// The password, without control characters.
            package let password: Secret<String>

            /// Creates credentials. They are validated when you create a transport with the configuration.
            public init(userID: String, password: Secret<String>) {
                self.userID = userID
                self.password = password
            }
        }

        private enum Kind: Hashable {
            case http(Credentials?)
            case socks
        }

        /// A host name or an IP address; an IPv6 address with or without brackets.
        package let host: String
        /// The TCP port, from 1 to 65535.
        package let port: Int
        private let kind: Kind

        /// Creates an HTTP proxy that opens tunnels with `CONNECT`. The connection to the proxy itself is not encrypted.
        public static func http(host: String, port: Int, credentials: Credentials? = nil) -> Self {
            Self(host: host, port: port, kind: .http(credentials))
        }

        /// Creates a SOCKS 5 proxy without credentials (RFC 1928). The proxy resolves the host names of servers.
        public static func socks(host: String, port: Int = 1_080) -> Self {
            Self(host: host, port: port, kind: .socks)
        }
    }
}

extension NetworkTransport.Proxy {
    func check() throws(NetworkTransport.ConfigurationError) {
        guard Origin(scheme: "http", authority: place) != nil else {
            throw .init(
                "the proxy's host or port is not valid; use a host name or an IP address without scheme and path, and a port from 1 to 65535"
            )
        }
        guard case .http(let credentials?) = kind else { return }
        let hasColon = credentials.userID.utf8.contains(UInt8(ascii: ":"))
        guard !hasColon, !credentials.userID.hasControls, !credentials.password.reveal().hasControls else {
            throw .init("the proxy's user name contains a colon, or its user name or password contains a control character (RFC 7617 §2)")
        }
    }

    /// The proxy for the client, with an IPv6 address without brackets.
    var forClient: HTTPClient.Configuration.Proxy {
        let host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return switch kind {
        case .http(let credentials):
            .server(
                host: host, port: port,
                authorization: credentials.map { .basic(username: $0.userID, password: $0.password.reveal()) })
        case .socks:
            .socksServer(host: host, port: port)
        }
    }

    /// The host and port, for messages.
    package var place: String { "\(authorityHost):\(port)" }

    private var authorityHost: String {
        host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    }
}

extension String {
    fileprivate var hasControls: Bool {
        utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }
}
