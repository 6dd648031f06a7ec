import Testing

@testable import WebAuthentication

struct ProfileWindowTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let exit: BrowserProcess.Exit
        let time: Duration
        let code: WebAuthenticationError.Code
        let explanation: String
    }

    @Test(arguments: [
        Row(
            testDescription: "it ended well", exit: .status(0), time: .seconds(60), code: .cancelledByPerson,
            explanation: "the window was closed"),
        Row(
            testDescription: "it ended well at once", exit: .status(0), time: .zero, code: .cancelledByPerson,
            explanation: "the window was closed"),
        Row(
            testDescription: "its end was not told", exit: .unknown, time: .seconds(60), code: .cancelledByPerson,
            explanation: "the window was closed"),
        Row(
            testDescription: "a failure at the start", exit: .status(1), time: .milliseconds(4999), code: .cannotShow,
            explanation: "firefox ended with status 1"),
        Row(
            testDescription: "a failure later, such as a display that is gone", exit: .status(1), time: .seconds(5), code: .browserVanished,
            explanation: "firefox ended with status 1"),
        Row(
            testDescription: "a crash at the start, such as a sandbox that is missing", exit: .signal(5), time: .seconds(1),
            code: .cannotShow, explanation: "firefox was ended by signal 5"),
        Row(
            testDescription: "a crash later", exit: .signal(11), time: .seconds(60), code: .browserVanished,
            explanation: "firefox was ended by signal 11"),
        Row(
            testDescription: "killed at the start", exit: .signal(9), time: .zero, code: .browserVanished,
            explanation: "firefox was ended by signal 9"),
        Row(
            testDescription: "ended by someone", exit: .signal(15), time: .seconds(60), code: .browserVanished,
            explanation: "firefox was ended by signal 15"),
    ])
    func `only a browser that ended well was closed by the person`(row: Row) {
        let error = ProfileWindow.meaning(of: row.exit, after: row.time, of: "firefox")
        #expect(error.code == row.code)
        #expect(error.explanation == row.explanation)
    }
}
