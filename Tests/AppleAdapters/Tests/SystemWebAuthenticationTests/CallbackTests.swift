import AuthHubTesting
import AuthenticationServices
import Dispatch
import Foundation
import Testing
import WebAuthentication

@testable import SystemWebAuthenticationOnLinux

@Suite(.timeLimit(.minutes(3)))
struct CallbackTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let method: CallbackMethod
        let brought: String
        /// Nil if it is not the callback.
        let callback: String?
        var code = WebAuthenticationError.Code.refused
    }

    static let scheme = CallbackMethod.customScheme("com.example.App", path: "/callback")
    static let https = CallbackMethod.https(host: "app.example.com", path: "/auth/callback")

    static let rows = [
        Row(
            testDescription: "a custom scheme", method: scheme, brought: "com.example.app:/callback?code=c&state=s",
            callback: "com.example.App:/callback?code=c&state=s"),
        Row(
            testDescription: "a custom scheme with two slashes", method: .customScheme("myapp", path: "//callback"),
            brought: "myapp://callback?code=c&state=s", callback: "myapp://callback?code=c&state=s"),
        Row(
            testDescription: "an https URL", method: https, brought: "https://app.example.com/auth/callback?code=c&state=s",
            callback: "https://app.example.com/auth/callback?code=c&state=s"),
        Row(
            testDescription: "values in the fragment", method: https, brought: "https://App.Example.com/auth/callback#token=t&state=s",
            callback: "https://app.example.com/auth/callback#token=t&state=s"),
        Row(
            testDescription: "percent-encoded characters stay encoded", method: scheme,
            brought: "com.example.app:/callback?code=%2B%2f+=&state=s",
            callback: "com.example.App:/callback?code=%2B%2f+=&state=s"),
        Row(
            testDescription: "AR03 a different state", method: scheme, brought: "com.example.app:/callback?code=c&state=other",
            callback: nil,
            code: .unexpectedCallback),
        Row(
            testDescription: "AR02 no state", method: https, brought: "https://app.example.com/auth/callback?code=c", callback: nil,
            code: .unexpectedCallback),
        Row(
            testDescription: "AR28 the code in the fragment, without its state", method: https,
            brought: "https://app.example.com/auth/callback#code=c", callback: nil, code: .unexpectedCallback),
        Row(
            testDescription: "AR29 a token in the query, without a state", method: scheme,
            brought: "com.example.app:/callback?access_token=code=c", callback: nil, code: .unexpectedCallback),
        Row(
            testDescription: "AR14 an error with a different state", method: https,
            brought: "https://app.example.com/auth/callback?error=access_denied&state=other", callback: nil, code: .unexpectedCallback),
        Row(
            testDescription: "only the redirect URI", method: scheme, brought: "com.example.app:/callback", callback: nil,
            code: .unexpectedCallback),
        Row(
            testDescription: "a path with the expected one as a prefix, which the system lets through", method: https,
            brought: "https://app.example.com/auth/callback2?code=c&state=s", callback: nil),
        Row(
            testDescription: "a path below the expected one", method: https,
            brought: "https://app.example.com/auth/callback/more?code=c&state=s", callback: nil),
        Row(
            testDescription: "a host with the expected one as a prefix", method: https,
            brought: "https://app.example.com.evil.example/auth/callback?code=c&state=s", callback: nil),
        Row(
            testDescription: "the expected host as a user name", method: https,
            brought: "https://app.example.com@evil.example/auth/callback?code=c&state=s", callback: nil),
        Row(
            testDescription: "another port", method: https, brought: "https://app.example.com:8443/auth/callback?code=c&state=s",
            callback: nil),
        Row(
            testDescription: "without TLS", method: https, brought: "http://app.example.com/auth/callback?code=c&state=s", callback: nil),
        Row(testDescription: "another path of the scheme", method: scheme, brought: "com.example.app:/other?code=c&state=s", callback: nil),
        Row(testDescription: "another scheme", method: scheme, brought: "com.example.apps:/callback?code=c&state=s", callback: nil),
    ]

    @Test(arguments: rows, Way.allCases)
    func `the URL from the system is the complete callback, or ends the sign-in`(row: Row, way: Way) async throws {
        let program = await Program(way)
        let signIn = program.signIn(row.method)
        let window = try #require(await program.system.nextWindow())
        window.end(URL(string: row.brought), nil)
        let outcome = await signIn.value
        #expect(outcome.callback == row.callback)
        if row.callback == nil {
            #expect(outcome.error?.code == row.code)
            #expect(!dumped(outcome).contains("code=c"))
        }
    }

    enum Origin: CaseIterable, Sendable {
        case here
        case main
        case background

        func run(_ action: @escaping @Sendable () -> Void) {
            switch self {
            case .here: action()
            case .main: DispatchQueue.main.async(execute: action)
            case .background: DispatchQueue.global().async(execute: action)
            }
        }
    }

    @Test(arguments: Origin.allCases, Way.allCases)
    func `the system may call back on any thread`(origin: Origin, way: Way) async throws {
        let program = await Program(way)
        let signIn = program.signIn()
        let window = try #require(await program.system.nextWindow())
        origin.run { window.end(URL(string: "com.example.app:/callback?state=s"), nil) }
        #expect(await signIn.value.callback == "com.example.app:/callback?state=s")
    }

    @Test func `ignores a second callback, whatever it contains`() async throws {
        let program = await Program(.session)
        let signIn = program.signIn()
        let window = try #require(await program.system.nextWindow())
        window.end(URL(string: "com.example.app:/callback?code=1&state=s"), nil)
        window.end(URL(string: "com.example.app:/callback?code=2&state=s"), nil)
        window.end(nil, ASWebAuthenticationSessionError(.canceledLogin))
        #expect(await signIn.value.callback == "com.example.app:/callback?code=1&state=s")
        window.end(nil, ASWebAuthenticationSessionError(.canceledLogin))

        let next = program.signIn()
        try #require(await program.system.nextWindow()).end(URL(string: "com.example.app:/callback?code=3&state=s"), nil)
        #expect(await next.value.callback == "com.example.app:/callback?code=3&state=s")
    }

    @Test(arguments: Way.allCases)
    func `passes scheme, host, header fields and the ephemeral setting to the system`(way: Way) async throws {
        for isEphemeral in [false, true] {
            let program = await Program(way, ephemeral: isEphemeral)
            for (method, expected) in [
                (Self.scheme, PretendWindow.Callback.customScheme("com.example.app")),
                (Self.https, .https(host: "app.example.com", path: "/auth/callback")),
            ] {
                let signIn = program.signIn(method, .ofTest("https://as.example/a?x=%20+", headerFields: ["X-Kiosk": "1"]))
                let window = try #require(await program.system.nextWindow())
                #expect(window.url.absoluteString == "https://as.example/a?x=%20+")
                #expect(window.callback == expected)
                #expect(window.isEphemeral == isEphemeral)
                #expect(window.headerFields == ["X-Kiosk": "1"])
                window.end(nil, ASWebAuthenticationSessionError(.canceledLogin))
                _ = await signIn.value
            }
        }
    }

    @Test func `the redirect URI is the requested one`() async throws {
        let program = await Program(.session)
        #expect(try await program.authenticator.prepare(Self.scheme).redirectURI == "com.example.App:/callback")
        #expect(try await program.authenticator.prepare(Self.https).redirectURI == "https://app.example.com/auth/callback")
    }

    @Test(arguments: [
        CallbackMethod.loopback(), .customScheme("myapp:"), .customScheme("myapp://callback"), .customScheme("https"), .customScheme("1a"),
        .customScheme(""), .https(host: "https://app.example.com", path: "/"), .https(host: "app.example.com:443", path: "/"),
        .https(host: "app.example.com", path: "callback"), .https(host: "", path: "/"),
    ])
    func `rejects callbacks that the system cannot deliver, before calling the system`(method: CallbackMethod) async throws {
        let program = await Program(.session)
        let outcome = await program.signIn(method).value
        #expect(outcome.error?.code == .cannotReceive)
        #expect(await program.system.hasNoWindow())
    }

    @Test func `the capabilities match the requested options`() async {
        #expect(
            await Program(.session, ephemeral: true).authenticator.capabilities
                == WebAuthenticationCapabilities(callbacks: [.customScheme, .https], knowsCancel: true, isEphemeral: true))
        #expect(await !Program(.environment).authenticator.capabilities.isEphemeral)
    }
}
