@testable import AsyncHTTPClientTransport
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

struct ProxyRulesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let environment: [String: String]
        let url: String
        /// The host and port of the proxy; nil for none.
        let proxy: String?

        init(_ description: String, _ environment: [String: String], _ url: String = "https://as.example", by proxy: String?) {
            (testDescription, self.environment, self.url, self.proxy) = (description, environment, url, proxy)
        }
    }

    private static let both = ["HTTPS_PROXY": "http://secure.example:1", "http_proxy": "http://plain.example:2"]

    @Test(arguments: [
        Row("nothing is set", [:], by: nil),
        Row("https in capitals", ["HTTPS_PROXY": "http://proxy.example:3128"], by: "proxy.example:3128"),
        Row(
            "https in lower case comes first", ["https_proxy": "http://a.example:1", "HTTPS_PROXY": "http://b.example:1"], by: "a.example:1"
        ),
        Row("a host and a port", ["HTTPS_PROXY": "proxy.example:3128"], by: "proxy.example:3128"),
        Row("an IPv6 address", ["HTTPS_PROXY": "http://[2001:db8::1]:3128/"], by: "[2001:db8::1]:3128"),
        Row("SOCKS with the usual port", ["ALL_PROXY": "socks5h://proxy.example"], by: "proxy.example:1080"),
        Row("all_proxy for the rest", ["all_proxy": "http://all.example:1", "http_proxy": "http://plain.example:2"], by: "all.example:1"),
        Row("an empty variable turns the proxy off", ["https_proxy": "", "ALL_PROXY": "http://all.example:1"], by: nil),
        Row("http in lower case", both, "http://api.example", by: "plain.example:2"),
        Row("http in capitals is the client of a web server", ["HTTP_PROXY": "http://a.example:1"], "http://api.example", by: nil),
        Row("http does not use the proxy of https", ["HTTPS_PROXY": "http://a.example:1"], "http://api.example", by: nil),
        Row("127.0.0.1", ["ALL_PROXY": "http://a.example:1"], "http://127.0.0.1:8080", by: nil),
        Row("127.1.2.3 with TLS", ["ALL_PROXY": "http://a.example:1"], "https://127.1.2.3", by: nil),
        Row("::1", ["ALL_PROXY": "http://a.example:1"], "http://[::1]:8080", by: nil),
        Row("localhost", ["ALL_PROXY": "http://a.example:1"], "http://localhost:8080", by: nil),
        Row("localhost of a domain", ["ALL_PROXY": "http://a.example:1"], "https://localhost.example", by: "a.example:1"),
    ])
    func `the proxy depends on the variables and the origin`(row: Row) throws {
        let rules = try NetworkTransport.ProxyRules(environment: row.environment)
        let origin = try #require(Origin(url: row.url))
        #expect(rules.proxy(for: origin)?.place == row.proxy)
    }

    @Test(arguments: [
        ("as.example", "https://as.example", true), (".as.example", "https://as.example", true), ("*.example", "https://as.example", true),
        ("as.example", "https://login.as.example:8443", true), ("as.example", "https://has.example", false),
        ("*", "https://a.example", true),
        ("one.example , AS.example", "https://as.example", true), ("one.example as.example", "https://as.example", true),
        ("as.example:443", "https://as.example", true), ("as.example:8443", "https://as.example", false),
        ("as.example", "https://as.example.", true), ("10.1.2.3", "https://10.1.2.3", true), ("10.1.2.3:443", "https://10.1.2.3", true),
        ("10.0.0.0/8", "https://10.1.2.3", true), ("10.0.0.0/8", "https://11.1.2.3", false), ("10.0.0.0/33", "https://10.1.2.3", false),
        ("192.168.128.0/17", "https://192.168.200.1", true), ("192.168.128.0/17", "https://192.168.100.1", false),
        ("2001:db8::/32", "https://[2001:db8::1]", true), ("[2001:db8::1]", "https://[2001:db8::1]", true),
        ("2001:db8::/32", "https://[2001:db9::1]", false), ("0.0.0.0/0", "https://as.example", false), ("3.4", "https://1.2.3.4", false),
        (",. ,:1", "https://as.example", false),
    ])
    func `exceptions are names with their subdomains, addresses and networks`(list: String, url: String, isException: Bool) throws {
        let origin = try #require(Origin(url: url))
        #expect(ProxyExceptions(list).contains(origin) == isException)
        let rules = try NetworkTransport.ProxyRules(environment: ["ALL_PROXY": "http://a.example:1", "NO_PROXY": list])
        #expect((rules.proxy(for: origin) == nil) == isException)
    }

    @Test func `the proxy of a program replaces the variables, but not the exceptions`() throws {
        let environment = ["HTTPS_PROXY": "canary", "NO_PROXY": "as.example"]
        let rules = try NetworkTransport.ProxyRules(environment: environment, proxy: "http://typed.example:1")
        for scheme in ["https", "http"] {
            #expect(rules.proxy(for: Origin(scheme: scheme, host: "api.example", port: 1))?.place == "typed.example:1")
            #expect(rules.proxy(for: Origin(scheme: scheme, host: "as.example", port: 1)) == nil)
        }
        #expect(try NetworkTransport.ProxyRules(environment: environment, proxy: "").isEmpty)
    }

    @Test func `the user name and the password are percent-decoded`() throws {
        let rules = try NetworkTransport.ProxyRules(environment: ["HTTPS_PROXY": "http://mona:a%40b%3A+c@proxy.example:1"])
        #expect(
            rules.https == .http(host: "proxy.example", port: 1, credentials: .init(userID: "mona", password: Secret("a@b:+c"))))
        let nameOnly = try NetworkTransport.ProxyRules(environment: ["HTTPS_PROXY": "http://mona@proxy.example:1"])
        #expect(nameOnly.https == .http(host: "proxy.example", port: 1, credentials: .init(userID: "mona", password: Secret(""))))
    }

    @Test(arguments: [
        ("http://mona:canary@proxy.example", "no port"), ("https://mona:canary@proxy.example:1", "TLS"),
        ("ftp://mona:canary@proxy.example:1", "unknown kind"), ("socks5://mona:canary@proxy.example:1", "SOCKS"),
        ("http://mona:canary%4@proxy.example:1", "percent-encoded"), ("http://mona:canary@:1", "is not the URL"),
        ("http://mona:canary@proxy.example:x", "invalid port"), ("http://mona:canary@proxy.example:70000", "cannot be used"),
        ("http://mona:canary@proxy.example:1/path", "invalid port"), ("http://mona:canary%0A@proxy.example:1", "control character"),
        ("canary canary", "is not the URL"), ("http://[::1:1", "is not the URL"),
    ])
    func `an unusable URL is an error that names the variable and not the value`(url: String, says: String) {
        let error = #expect(throws: NetworkTransport.ConfigurationError.self) {
            try NetworkTransport.ProxyRules(environment: ["HTTPS_PROXY": url])
        }
        #expect(error?.description.hasPrefix("HTTPS_PROXY") == true)
        #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
        #expect(!dumped(error).contains("canary"))
    }

    @Test func `requests use the proxy of the rules, and errors name it`() async throws {
        let asked = Mutex("")
        let error = try await RawServer.run(
            answering: { connection in
                let text = try await connection.readRequest() ?? ""
                asked.withLock { $0 = text }
                try await connection.write("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
            },
            use: { authority in
                var configuration = try NetworkTransport.Configuration(environment: ["https_proxy": "http://mona:canary@\(authority)"])
                configuration.connectTimeout = .seconds(120)  // the machine is busy with other tests
                let transport = try NetworkTransport(configuration: configuration)
                let error = await #expect(throws: LoadError.self) { try await transport.send(.get("https://origin.invalid/path")) }
                #expect(error?.explanation == "the proxy refused to connect to the host, through the proxy \(authority)")
                #expect(!dumped(transport).contains("canary"))
                await transport.shutdown()
                return error
            })
        #expect(error?.code == .cannotConnect)
        #expect(asked.withLock { $0 }.hasPrefix("CONNECT origin.invalid:443 HTTP/1.1\r\n"))
    }

    @Test func `requests to this machine do not use the proxy of the rules`() async throws {
        try await RawServer.run(
            answering: { connection in
                _ = try await connection.readRequest()
                try await connection.write("HTTP/1.1 204 No Content\r\n\r\n")
            },
            use: { authority in
                let configuration = try NetworkTransport.Configuration(environment: ["ALL_PROXY": "http://proxy.invalid:1"])
                let response = try await NetworkTransport(configuration: configuration).send(.get("http://\(authority)/"))
                #expect(response.status == .noContent)
            })
    }

    @Test(arguments: [
        (["SSL_CERT_FILE": "/nowhere.pem"], nil, "SSL_CERT_FILE names /nowhere.pem"),
        (["SSL_CERT_FILE": ""], "/nowhere.pem", "--ca-file names /nowhere.pem"),
        (["SSL_CERT_FILE": "/etc/passwd"], nil, "contains no PEM certificate"),
    ])
    func `a file without certificates is an error that names it`(environment: [String: String], option: String?, says: String) throws {
        let configuration = try NetworkTransport.Configuration(environment: environment, authorities: option)
        let error = #expect(throws: NetworkTransport.ConfigurationError.self) { try NetworkTransport(configuration: configuration) }
        #expect(error?.description.contains(says) == true)
    }

    @Test func `no variable means the configuration that everyone has`() throws {
        let configuration = try NetworkTransport.Configuration(environment: ["SSL_CERT_FILE": "", "NO_PROXY": "*"])
        #expect(configuration.proxyRules == nil && configuration.trustRoots == .system)
    }
}
