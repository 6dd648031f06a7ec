import AuthHubTesting
import AuthenticationServices
import Foundation
import Testing
import WebAuthentication

@testable import SystemWebAuthenticationOnLinux

@Suite(.timeLimit(.minutes(3)))
struct EndTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let error: any Error
        let code: WebAuthenticationError.Code
        /// Text that the explanation must contain; nil if there must be no explanation.
        let words: String?
    }

    private static func sessionError(_ code: Int, _ userInfo: [String: Any] = [:]) -> ASWebAuthenticationSessionError {
        ASWebAuthenticationSessionError(.init(rawValue: code), userInfo: userInfo)
    }

    @Test(
        arguments: [
            Row(testDescription: "the user closed it", error: sessionError(1), code: .cancelledByUser, words: nil),
            Row(
                testDescription: "no association, as a reason",
                error: sessionError(1, [NSLocalizedFailureReasonErrorKey: "not associated\nwith\u{202E} domain app.example.com"]),
                code: .refused, words: "not associatedwith domain app.example.com"),
            Row(
                testDescription: "no association, in a message for developers",
                error: sessionError(1, ["NSDebugDescription": "not associated with domain"]), code: .refused,
                words: "not associated with domain"),
            Row(
                testDescription: "a message under another key", error: sessionError(1, ["B": "later", "A": "sooner", "0": 1]),
                code: .refused,
                words: "sooner"),
            Row(
                testDescription: "the reason comes first",
                error: sessionError(1, [NSLocalizedDescriptionKey: "failed", NSLocalizedFailureReasonErrorKey: "why"]), code: .refused,
                words: "why"),
            Row(
                testDescription: "truncates a long message", error: sessionError(1, ["A": String(repeating: "long ", count: 1_000)]),
                code: .refused, words: String(repeating: "long ", count: 80)),
            Row(
                testDescription: "no message: closed by the user",
                error: sessionError(1, ["A": 1, "B": "", NSUnderlyingErrorKey: CancellationError()]), code: .cancelledByUser, words: nil),
            Row(testDescription: "no window", error: sessionError(2), code: .cannotShow, words: "pass one of the app's windows"),
            Row(testDescription: "an invalid window", error: sessionError(3), code: .cannotShow, words: "while it is in front"),
            Row(testDescription: "an unknown code", error: sessionError(4), code: .refused, words: "code 4"),
            Row(
                testDescription: "an error of another domain",
                error: NSError(domain: "com.example", code: 7, userInfo: ["url": "https://as.example/?code=secret"]), code: .refused,
                words: "com.example 7"),
        ], Way.allCases)
    func `a system error says who ended it and what to do`(row: Row, way: Way) async throws {
        let program = await Program(way)
        let signIn = program.signIn()
        try #require(await program.system.nextWindow()).end(nil, row.error)
        let outcome = await signIn.value
        let error = try #require(outcome.error)
        #expect(error.code == row.code)
        if let words = row.words {
            #expect(error.explanation?.contains(words) == true, "\(error)")
        } else {
            #expect(error.explanation == nil)
        }
        #expect((error.explanation?.count ?? 0) <= 400)
        #expect(!dumped(outcome).contains("secret"))
    }

    @Test func `a callback with neither URL nor error ends the sign-in`() async throws {
        let program = await Program(.session)
        let signIn = program.signIn()
        try #require(await program.system.nextWindow()).end(nil, nil)
        #expect(await signIn.value.error?.code == .refused)
    }

    @Test func `an error takes precedence over a URL`() async throws {
        let program = await Program(.session)
        let signIn = program.signIn()
        let url = URL(string: "com.example.app:/callback?state=s")
        try #require(await program.system.nextWindow()).end(url, ASWebAuthenticationSessionError(.canceledLogin))
        #expect(await signIn.value.error?.code == .cancelledByUser)
    }

    @Test(arguments: Way.allCases)
    func `a session that does not start cannot show the page, and the next one can try`(way: Way) async {
        let program = await Program(way, starts: false)
        for _ in 1...2 {
            let error = await program.signIn().value.error
            #expect(error?.code == .cannotShow)
            #expect(error?.explanation?.contains("in front") == true)
        }
    }

    @Test(arguments: [SceneState.unattached, .foregroundInactive, .background, nil])
    func `does not pass a window that is not visible to the system`(scene: SceneState?) async {
        let program = await Program(.session, scene: scene)
        let error = await program.signIn().value.error
        #expect(error?.code == .cannotShow)
        #expect(error?.explanation?.contains("not in the foreground") == true)
        #expect(await program.system.hasNoWindow())
    }

    @Test func `without a window there is nothing to show the page on`() async {
        let program = await Program(.session, hasWindow: false)
        let error = await program.signIn().value.error
        #expect(error?.code == .cannotShow)
        #expect(error?.explanation?.contains("there is no window") == true)
        #expect(await program.system.hasNoWindow())
    }

    @Test(arguments: [
        WebAuthenticationRequest.ofTest("ftp://as.example/"), .ofTest("as.example/authorize"), .ofTest("https:///authorize"), .ofTest(""),
        .ofTest("https://as.example/a b"), .ofTest(headerFields: ["Cookie": "a=b"]), .ofTest(headerFields: ["X-A": "b\r\nc: d"]),
    ])
    func `rejects a value that would make the system trap, before calling the system`(request: WebAuthenticationRequest) async {
        let program = await Program(.session)
        #expect(await program.signIn(.customScheme("com.example.app"), request).value.error?.code == .cannotShow)
        #expect(await program.system.hasNoWindow())
    }

    @Test func `an attempt is valid for one sign-in, and a closed one for none`() async throws {
        let program = await Program(.session)
        let attempt = try await program.authenticator.prepare(.customScheme("com.example.app"))
        await attempt.close()
        await #expect { try await attempt.authenticate(.ofTest()) } throws: { ($0 as? WebAuthenticationError)?.code == .cannotReceive }
        #expect(await program.system.hasNoWindow())
    }
}
