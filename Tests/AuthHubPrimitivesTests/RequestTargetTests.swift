import AuthHubPrimitives
import Testing

struct RequestTargetTests {
    @Test(arguments: [
        ("https://Example.com", "https", "example.com", "/"), ("https://example.com?q=1", "https", "example.com", "/?q=1"),
        ("HTTP://example.com:80/A%2f/../b?c=?/#f", "http", "example.com:80", "/A%2f/../b?c=?/"),
        ("https://[::1]:80/", "https", "[::1]:80", "/"), ("https://example.com//a//?", "https", "example.com", "//a//?"),
        ("https://example.com/a:b@c!$&'()*+,;=-._~", "https", "example.com", "/a:b@c!$&'()*+,;=-._~"),
    ])
    func `parses a URL, and keeps its path as written`(url: String, scheme: String, authority: String, path: String) throws {
        let target = try #require(RequestTarget(url))
        #expect(target.scheme == scheme && target.authority == authority && target.path == path)
        #expect(target.url == "\(scheme)://\(authority)\(path)")
    }

    @Test(arguments: ["/", "/a?b=http://c", "/a//b", "/:"])
    func `a path alone is a target without an origin`(path: String) throws {
        let target = try #require(RequestTarget(path))
        #expect(target.scheme == nil && target.authority == nil && target.path == path && target.url == path)
    }

    @Test(arguments: [
        "", "a", "?a", "#a", "//example.com", "/\\example.com", "/a b", "/a\tb", "/a\r\nb", "/é", "/\u{301}", "/a|b", "/a[1]", "/{a}",
        "/a\"b", "/<a>",
        "/a^b", "/a`b", "/%", "/%4", "/%zz", "/a?b=%", "/a?b=é", "mailto:a@example.com", "https:example.com", "https:/example.com",
        "https://example.com/%g0",
    ])
    func `rejects a URL that would need repair`(text: String) {
        #expect(RequestTarget(text) == nil)
    }

    /// The examples of RFC 3986 §5.4 with the base `http://a/b/c/d;p?q`, without those that lead to other schemes, and without fragments.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g/"),
        ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
        ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y"),
        (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
        ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g"),
    ])
    func `resolves references as the RFC shows`(reference: String, expected: String) throws {
        let base = try #require(RequestTarget("http://a/b/c/d;p?q"))
        #expect(base.resolving(reference)?.url == expected)
    }

    @Test(
        arguments: [
            ("https://other.example/x/../y?z", "https://other.example/y?z"), ("HTTP://Other.Example", "http://other.example/"),
            ("//other.example:8443/x", "https://other.example:8443/x"), ("/..//evil.example/x", "https://example.com//evil.example/x"),
            ("x:y", nil), ("./x:y", "https://example.com/a/x:y"), ("/x y", "https://example.com/x%20y"),
            ("/x\\y", "https://example.com/x/y"),
            ("\\\\evil.example", "https://evil.example/"), ("https://example.com\\@evil.example/", "https://example.com/@evil.example/"),
            ("/x\r\ny", "https://example.com/xy"), (" /x\t ", "https://example.com/x"),
            ("/x?y=\\|{}", "https://example.com/x?y=%5C%7C%7B%7D"),
            ("/\u{1}x\u{1}", "https://example.com/%01x"), ("", nil), (" ", nil),
            ("http:x", nil), ("https:/x", nil), ("https:///x", nil), ("ftp://example.com/", nil), ("javascript:alert(1)", nil),
            ("data:,x", nil),
            ("//user@evil.example/", nil), ("https://example.com@evil.example/", nil), ("//", nil), ("///x", nil),
            ("https://example.com:0/", nil),
            ("/x|[1]{é}\"?a[]=<é>", "https://example.com/x%7C%5B1%5D%7B%C3%A9%7D%22?a%5B%5D=%3C%C3%A9%3E"), ("/%zz", nil),
            ("/%2e%2E/x", "https://example.com/%2e%2E/x"),
            ("?", "https://example.com/a/b?"), ("/\u{301}", "https://example.com/%CC%81"), ("//evil.example\u{301}/", nil),
        ] as [(String, String?)])
    func `references from servers lead to http or https, or nowhere`(reference: String, expected: String?) throws {
        let base = try #require(RequestTarget("https://example.com/a/b?q"))
        #expect(base.resolving(reference)?.url == expected)
    }

    @Test func `resolves references against a path, too, but not to another authority without a scheme`() throws {
        let base = try #require(RequestTarget("/a/b"))
        #expect(base.resolving("../c")?.url == "/c")
        #expect(base.resolving("//example.com/") == nil)
        #expect(base.resolving("https://example.com/")?.url == "https://example.com/")
    }
}
