import AuthHubPrimitives

extension NetworkTransport.Proxy {
    private typealias Problem = NetworkTransport.ConfigurationError

    /// Reads a proxy's URL: `http://[USER:PASSWORD@]HOST:PORT`, `socks5://HOST[:PORT]`, or `HOST:PORT` for an HTTP proxy.
    ///
    /// - Parameter name: The option or variable that contains the URL, for errors, which never repeat the URL.
    init(url: String, named name: String) throws(NetworkTransport.ConfigurationError) {
        var scheme = "http"
        var rest = url[...]
        if let separator = url.firstRange(of: "://") {
            scheme = url[..<separator.lowerBound].lowercased()
            rest = url[separator.upperBound...]
        }
        if rest.hasSuffix("/") { rest.removeLast() }
        var credentials: Credentials?
        if let at = rest.lastIndex(of: "@") {
            credentials = try Self.credentials(rest[..<at], named: name)
            rest = rest[rest.index(after: at)...]
        }
        let (host, port) = try Self.hostAndPort(rest, named: name)
        switch scheme {
        case "http":
            guard let port else { throw Problem("\(name) has no port; write it as in http://proxy.example.com:3128") }
            self = .http(host: host, port: port, credentials: credentials)
        case "socks", "socks5", "socks5h":
            guard credentials == nil else {
                throw Problem("\(name) has a user name for a SOCKS proxy, which is not supported; use an HTTP proxy or leave it out")
            }
            self = .socks(host: host, port: port ?? 1_080)
        case "https":
            throw Problem(
                "\(name) is a proxy over TLS, which is not supported; use http://HOST:PORT (requests to https servers stay encrypted)")
        default: throw Problem("\(name) has an unknown kind of proxy; use http://HOST:PORT or socks5://HOST:PORT")
        }
        do throws(NetworkTransport.ConfigurationError) {
            try check()
        } catch {
            throw Problem("\(name) cannot be used: \(error)")
        }
    }

    private static func hostAndPort(
        _ text: Substring, named name: String
    ) throws(NetworkTransport.ConfigurationError) -> (host: String, port: Int?) {
        // A host with more than one colon has brackets, which the port follows.
        let end = text.hasPrefix("[") ? text.firstIndex(of: "]").map { text.index(after: $0) } ?? text.endIndex : nil
        let colon = end.map { text[$0...].first == ":" ? $0 : nil } ?? text.firstIndex(of: ":")
        guard let colon else { return (try checked(text[...], named: name), nil) }
        guard let port = Int(text[text.index(after: colon)...]) else {
            throw Problem("\(name) has an invalid port; write it as in http://proxy.example.com:3128")
        }
        return (try checked(text[..<colon], named: name), port)
    }

    private static func checked(_ host: Substring, named name: String) throws(NetworkTransport.ConfigurationError) -> String {
        guard Origin(scheme: "http", authority: host) != nil else {
            throw Problem("\(name) is not the URL of a proxy; write it as in http://proxy.example.com:3128")
        }
        return String(host)
    }

    private static func credentials(
        _ text: Substring, named name: String
    ) throws(NetworkTransport.ConfigurationError) -> Credentials {
        let colon = text.firstIndex(of: ":") ?? text.endIndex
        guard let user = decoded(text[..<colon]), let password = decoded(text[colon...].dropFirst()) else {
            throw Problem("\(name) has a user name or password that is not percent-encoded correctly")
        }
        return Credentials(userID: user, password: Secret(password))
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
                let decoded = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
