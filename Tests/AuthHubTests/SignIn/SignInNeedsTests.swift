import OAuthProtocol
import Testing
import WebAuthentication

@testable import AuthHub

struct SignInNeedsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let end: WebAuthenticationError.Code?
        let isDeclined: Bool
    }

    @Test(arguments: [
        Row(testDescription: "the user closed the page", end: .cancelledByUser, isDeclined: true),
        Row(testDescription: "the sign-in timed out", end: .timedOut, isDeclined: true),
        Row(testDescription: "the program cancelled it", end: .cancelledByProgram, isDeclined: false),
        Row(testDescription: "the page led to a foreign response", end: nil, isDeclined: false),
    ])
    func `does not ask a user again who gave up after a foreign response either`(row: Row) {
        var needs = SignInNeeds()
        needs.refused = 7
        let underlying = row.end.map { WebAuthenticationError($0) }
        needs.signInFailed(SessionError(WebAuthenticationError(.unexpectedCallback, underlying: underlying)), holding: nil)
        #expect(needs.declined == (row.isDeclined ? 7 : nil))
    }
}
