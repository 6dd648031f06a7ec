import AuthHubPrimitives
import Testing

@testable import WebAuthentication

struct CallbackAddressTests {
    struct Row: CustomTestStringConvertible {
        let description: String
        let method: CallbackMethod
        let url: String
        let callback: String?

        init(_ description: String, _ method: CallbackMethod, _ url: String, is callback: String?) {
            (self.description, self.method, self.url, self.callback) = (description, method, url, callback)
        }

        var testDescription: String { description }
    }

    private static let scheme = CallbackMethod.customScheme("com.example.App")
    private static let hostInScheme = CallbackMethod.customScheme("com.example.app", path: "//oauth/done")
    private static let https = CallbackMethod.https(host: "App.example.com", path: "/callback")

    static let rows = [
        Row("scheme: query", scheme, "com.example.App:/callback?code=c&state=s", is: "com.example.App:/callback?code=c&state=s"),
        Row("scheme: fragment", scheme, "com.example.App:/callback#access_token=t", is: "com.example.App:/callback#access_token=t"),
        Row(
            "AR48 scheme in lower case: as a browser writes it", scheme, "com.example.app:/callback?code=c",
            is: "com.example.App:/callback?code=c"),
        Row("scheme: nothing after the path", scheme, "com.example.app:/callback", is: "com.example.App:/callback"),
        Row("AR48 scheme: longer scheme", scheme, "com.example.app2:/callback?code=c", is: nil),
        Row("AR48 scheme: shorter scheme", scheme, "com.example:/callback?code=c", is: nil),
        Row("AR48 scheme: longer path", scheme, "com.example.app:/callback2?code=c", is: nil),
        Row("AR48 scheme: path below", scheme, "com.example.app:/callback/?code=c", is: nil),
        Row("AR48 scheme: host instead of path", scheme, "com.example.app://callback?code=c", is: nil),
        Row("AR48 scheme: letter case of the path", scheme, "com.example.app:/Callback?code=c", is: nil),
        Row("scheme: no colon", scheme, "com.example.app", is: nil),
        Row("scheme: space", scheme, "com.example.app:/callback?code=c d", is: nil),
        Row("scheme: not ASCII", scheme, "com.example.app:/callback?code=é", is: nil),
        Row("scheme: longer than any callback", scheme, "com.example.app:/callback?code=" + String(repeating: "c", count: 65_536), is: nil),
        Row(
            "AR48 scheme with host: as registered", hostInScheme, "com.example.app://oauth/done?code=c",
            is: "com.example.app://oauth/done?code=c"),
        Row("AR48 scheme with host: another host", hostInScheme, "com.example.app://oauth.evil/done?code=c", is: nil),
        Row("https: query", https, "https://app.example.com/callback?code=c", is: "https://App.example.com/callback?code=c"),
        Row("https: default port", https, "https://app.example.com:443/callback?code=c", is: "https://App.example.com/callback?code=c"),
        Row("https: scheme in capitals", https, "HTTPS://app.example.com/callback?code=c", is: "https://App.example.com/callback?code=c"),
        Row("AR50 https: other port", https, "https://app.example.com:8443/callback?code=c", is: nil),
        Row("AR50 https: http", https, "http://app.example.com/callback?code=c", is: nil),
        Row("AR50 https: host below", https, "https://x.app.example.com/callback?code=c", is: nil),
        Row("AR50 https: host that begins alike", https, "https://app.example.com.evil.example/callback?code=c", is: nil),
        Row("AR50 https: host with a final dot", https, "https://app.example.com./callback?code=c", is: nil),
        Row("AR50 https: user name that looks like the host", https, "https://app.example.com@evil.example/callback?code=c", is: nil),
        Row("AR50 https: user name before the host", https, "https://evil@app.example.com/callback?code=c", is: nil),
        Row("AR50 https: backslash", https, "https://evil.example\\@app.example.com/callback?code=c", is: nil),
        Row("AR50 https: path below", https, "https://app.example.com/callback/x?code=c", is: nil),
        Row("AR50 https: path that begins alike", https, "https://app.example.com/callbackx?code=c", is: nil),
        Row("AR50 https: escaped path", https, "https://app.example.com/%63allback?code=c", is: nil),
        Row("AR50 https: dots in the path", https, "https://app.example.com/x/../callback?code=c", is: nil),
        Row("AR50 https: one slash", https, "https:/app.example.com/callback?code=c", is: nil),
    ]

    @Test(arguments: rows) func `accepts callbacks to the redirect URI, and nothing that looks like it`(_ row: Row) throws {
        #expect(try CallbackAddress(row.method).callback(in: row.url)?.url.reveal() == row.callback)
    }

    @Test(arguments: [
        CallbackMethod.customScheme("https"), .customScheme("javascript"), .customScheme("com.example.app:"), .customScheme("1app"),
        .customScheme(""), .customScheme("com.example.app/x"), .customScheme("com.example.äpp"),
        .customScheme("com.example.app", path: "callback"),
        .customScheme("com.example.app", path: "/a?b"), .customScheme("com.example.app", path: "/a#b"), .https(host: "", path: "/callback"),
        .https(host: "app.example.com:443", path: "/callback"), .https(host: "app..example.com", path: "/callback"),
        .https(host: "u@app.example.com", path: "/callback"), .https(host: "app.example.com", path: ""),
        .https(host: "app.example.com", path: "//evil.example/callback"), .https(host: "-app.example.com", path: "/callback"), .loopback(),
    ])
    func `rejects an invalid redirect URI before anything is shown`(_ method: CallbackMethod) {
        let error = #expect(throws: WebAuthenticationError.self) { _ = try CallbackAddress(method) }
        #expect(error?.code == .cannotReceive)
    }
}
