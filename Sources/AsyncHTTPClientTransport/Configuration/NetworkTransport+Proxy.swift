import AsyncHTTPClient
public import AuthHubPrimitives

extension NetworkTransport {
    /// A machine that connects to servers in the client's place.
    ///
    /// Requests go through a tunnel (RFC 9110 §9.3.6), those for http URLs, too, so that no proxy sees header fields of a request for https,
    /// and no server sees those for the proxy. A proxy that lets nobody tunnel to port 80 serves https alone.
    public struct Proxy: Sendable, Hashable {
        /// A user-id and a password for the proxy (RFC 7617). They go to the proxy, with each tunnel, and to nobody else.
        public struct Credentials: Sendable, Hashable {
            /// Has no colon and no control characters.
            public let userID: String
            /// Has no control characters.
            public let password: Secret<String>

            public init(userID: String, password: Secret<String>) {
                self.userID = userID
                self.password = password
            }
        }

        private enum Kind: Hashable {
            case http(Credentials?)
            case socks
        }

        /// A name or an address, IPv6 with brackets or without.
        public let host: String
        public let port: Int
        private let kind: Kind

        /// A proxy that is asked by `CONNECT`, over a connection that is not encrypted itself.
        public static func http(host: String, port: Int, credentials: Credentials? = nil) -> Self {
            Self(host: host, port: port, kind: .http(credentials))
        }

        /// A proxy that speaks SOCKS 5 without credentials (RFC 1928); it resolves the names of servers.
        public static func socks(host: String, port: Int = 1_080) -> Self {
            Self(host: host, port: port, kind: .socks)
        }
    }
}

extension NetworkTransport.Proxy {
    func check() throws(NetworkTransport.ConfigurationError) {
        guard Origin(scheme: "http", authority: "\(authorityHost):\(port)") != nil else {
            throw .init(
                "the proxy's host or port is not valid; use a host name or an IP address without scheme and path, and a port from 1 to 65535"
            )
        }
        guard case .http(let credentials?) = kind else { return }
        let hasColon = credentials.userID.utf8.contains(UInt8(ascii: ":"))
        guard !hasColon, !credentials.userID.hasControls, !credentials.password.reveal().hasControls else {
            throw .init("the proxy's user name contains a colon, or the user name or password a control character (RFC 7617 §2)")
        }
    }

    /// As the client wants it: an IPv6 address without brackets.
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

    private var authorityHost: String {
        host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    }
}

extension String {
    fileprivate var hasControls: Bool {
        utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }
}
