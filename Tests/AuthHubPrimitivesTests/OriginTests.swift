import AuthHubPrimitives
import Testing

struct OriginTests {
    @Test(arguments: [
        ("https://example.com", "https://example.com"), ("https://example.com:443/x", "https://example.com"),
        ("http://example.com:80", "http://example.com"), ("http://example.com:443", "http://example.com:443"),
        ("HTTPS://EXAMPLE.com:8443?q", "https://example.com:8443"), ("https://[::1]:9/", "https://[::1]:9"),
        ("https://[2001:DB8::1]", "https://[2001:db8::1]"), ("https://[::ffff:127.0.0.1]", "https://[::ffff:127.0.0.1]"),
        ("https://example.com./", "https://example.com."), ("http://a_b-c.~d:65535", "http://a_b-c.~d:65535"),
        ("https://example.com:00443", "https://example.com"),
    ])
    func `an origin is scheme, host and port`(url: String, expected: String) {
        #expect(Origin(url: url)?.description == expected)
    }

    @Test(arguments: [
        "", "example.com", "ftp://example.com", "http:/x", "http:x", "http:///x", "https://", "https://?q", "https://#f", "https://:443",
        "https://user@example.com", "https://user:password@example.com", "https://@example.com", "https://example.com@evil.example",
        "https://example.com:0", "https://example.com:65536", "https://example.com:99999999999", "https://example.com:",
        "https://example.com:+1",
        "https://example.com:8a", "https://example.com:80:80", "https://example.com\\@evil.example", "https:\\\\example.com",
        "https://exam ple.com", "https://example.com\n", "https://ex%61mple.com", "https://exämple.com", "https://example.com,evil.example",
        "https://[::1", "https://::1", "https://[]", "https://[::1]x", "https://[::1%25lo]", "https://[1]", "https://[example.com]",
        "https://a\u{301}.example", "https://a@\u{301}b", "javascript://example.com", "//example.com/x",
    ])
    func `a URL without a clear origin has none`(url: String) {
        #expect(Origin(url: url) == nil)
    }

    @Test(arguments: [
        ("http", "example.com@\u{301}evil.example"), ("http", "example.com/\u{301}"), ("", "example.com"), ("file", "example.com"),
        ("http", ""), ("http", "a b"), ("http", "a\r\nX: y"), ("http", "host*"),
    ])
    func `parses an authority by its bytes`(scheme: String, authority: String) {
        #expect(Origin(scheme: scheme, authority: authority) == nil)
    }

    @Test(arguments: [
        ("localhost", true), ("LOCALHOST:80", true), ("127.0.0.1", true), ("127.255.255.254:8080", true), ("[::1]:1", true),
        ("127.0.0.1.example.com", false), ("127.evil.example", false), ("localhost.", false), ("localhost.example", false),
        ("127.1", false),
        ("127.0.0.256", false), ("127.0.0.01", false), ("0127.0.0.1", false), ("128.0.0.1", false), ("2130706433", false),
        ("0.0.0.0", false),
        ("[::]", false), ("[::ffff:127.0.0.1]", false), ("[0:0:0:0:0:0:0:1]", false),
    ])
    func `loopback is the name and the literal addresses`(authority: String, isLoopback: Bool) {
        #expect(Origin(scheme: "http", authority: authority)?.isLoopback == isLoopback)
    }

    @Test func `origins differ in each part`() {
        let origin = Origin(scheme: "https", host: "example.com", port: 443)
        #expect(origin == Origin(scheme: "HTTPS", host: "EXAMPLE.COM", port: 443))
        #expect(origin != Origin(scheme: "http", host: "example.com", port: 443))
        #expect(origin != Origin(scheme: "https", host: "www.example.com", port: 443))
        #expect(origin != Origin(scheme: "https", host: "example.com", port: 8443))
    }
}
