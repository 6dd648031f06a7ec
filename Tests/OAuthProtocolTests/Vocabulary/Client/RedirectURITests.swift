import OAuthProtocol
import Testing

struct RedirectURITests {
    struct Row: CustomTestStringConvertible {
        let text: String
        let kind: RedirectURI.Kind?
        /// The URI as it is written back, if that differs.
        var written: String?

        var testDescription: String { text }
    }

    static let rows = [
        Row(text: "http://127.0.0.1/callback", kind: .loopback(port: 0, path: "/callback")),
        Row(text: "http://127.0.0.1:7777/back", kind: .loopback(port: 7777, path: "/back")),
        Row(text: "http://127.0.0.1:80/back", kind: .loopback(port: 80, path: "/back")),
        Row(text: "https://app.example.com/callback", kind: .https(host: "app.example.com", path: "/callback")),
        Row(
            text: "https://app.example.com:443/callback", kind: .https(host: "app.example.com", path: "/callback"),
            written: "https://app.example.com/callback"),
        Row(text: "com.example.app:/callback", kind: .customScheme("com.example.app", path: "/callback")),
        Row(text: "myapp://callback", kind: .customScheme("myapp", path: "//callback")),
        Row(text: "http://localhost/callback", kind: nil),
        Row(text: "http://example.com/callback", kind: nil),
        Row(text: "http://127.0.0.1", kind: nil),
        Row(text: "https://app.example.com:8443/callback", kind: nil),
        Row(text: "https://app.example.com/callback?x=1", kind: nil),
        Row(text: "https://app.example.com/callback#x", kind: nil),
        Row(text: "https://user@app.example.com/callback", kind: nil),
        Row(text: "https:/callback", kind: nil),
        Row(text: "com.example.app:callback", kind: nil),
        Row(text: "1app:/callback", kind: nil),
        Row(text: "com.example app:/callback", kind: nil),
        Row(text: "callback", kind: nil),
        Row(text: "", kind: nil),
    ]

    @Test(arguments: rows) func `parses a redirect URI as it is registered, and writes it unchanged`(_ row: Row) {
        let redirectURI = RedirectURI(row.text)
        #expect(redirectURI?.kind == row.kind)
        if let redirectURI { #expect(redirectURI.description == row.written ?? row.text) }
    }
}
