import AsyncHTTPClientTransport
import AuthHubPrimitives
import DevelopmentServer
import HTTPLoading
import HTTPTypes
import Platform
import Testing

@testable import AuthHubCommand
@testable import AuthHubCommandTests

/// The tool's messages about responses that other programs send to its port, and about a page that the user may have closed.
@Suite(.timeLimit(.minutes(15)))
struct ForeignResponseTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let signal: Int32
        let status: Int32
        let says: String
    }

    @Test(arguments: [
        Row(testDescription: "Ctrl-C", signal: SIGINT, status: 7, says: "authhub: a security check failed and nothing was accepted: "),
        Row(testDescription: "SIGTERM", signal: SIGTERM, status: 143, says: "authhub: interrupted"),
    ])
    func `AR65 reports a foreign response at once, once for its kind, and the user's Ctrl-C ends the sign-in with status 7`(row: Row)
        async throws
    {
        try await Tool.using(.init(persona: .openID)) { tool in
            let words = Array(try tool.loginWords().prefix { $0 != "--headless" }) + ["--browser", "none"]
            let login = try tool.start(words)
            let beginning = await login.wait { $0.errorText.contains("Waiting for the sign-in to finish") }.errorText
            let page = try #require(beginning.split(whereSeparator: \.isWhitespace).first { $0.contains("redirect_uri=") })
            let parameters = try FormParameters(decoding: try #require(page.split(separator: "?", maxSplits: 1).last))
            let redirectURI = try #require(parameters["redirect_uri"])
            for _ in 0..<3 {
                let answer = try await NetworkTransport.shared.send(.get("\(redirectURI)?code=theirs&state=wrong"))
                #expect(answer.status == .badRequest)
                _ = try await answer.body.collect(upTo: 1 << 20)
            }
            let note = "note: a response that does not belong to this sign-in arrived and was ignored\n"
            let waiting = await login.wait { $0.errorText.contains(note) }
            #expect(waiting.ending == nil)
            login.send(row.signal)
            let end = await login.end()
            #expect(end.status == row.status, "\(end.errorText)")
            #expect(end.errorText.contains(row.says), "\(end.errorText)")
            #expect(end.errorText.split(separator: note, omittingEmptySubsequences: false).count == 2, "\(end.errorText)")
            #expect(end.errorText.contains("note: 3 responses that do not belong to this sign-in arrived and were ignored\n"))
            #expect(!end.errorText.contains("theirs"))
        }
    }

    struct TextRow: Sendable, CustomTestStringConvertible {
        var testDescription: String { "\(reminder)" }
        let reminder: SignInReminder
        let text: String
    }

    @Test(arguments: [
        TextRow(
            reminder: SignInReminder(canPaste: false, isPinPage: false),
            text: "Still waiting. If you closed the page, open the URL above again, or press Ctrl-C to cancel."),
        TextRow(
            reminder: SignInReminder(canPaste: true, isPinPage: false),
            text:
                "Still waiting. If you closed the page, open the URL above again, press p to paste the URL that the browser was redirected to, or "
                + "press Ctrl-C to cancel."),
        TextRow(
            reminder: SignInReminder(canPaste: true, isPinPage: true),
            text: "Still waiting. If you closed the page, open the URL above again, press p to paste what it shows, or press Ctrl-C to "
                + "cancel."),
    ])
    func `the reminder says what the user can do`(row: TextRow) {
        #expect(row.reminder.text == row.text)
    }
}
