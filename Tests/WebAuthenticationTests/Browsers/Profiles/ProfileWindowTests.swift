import Testing

@testable import WebAuthentication

struct ProfileWindowTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let exit: BrowserProcess.Exit
        let wasShown: Bool
        let code: WebAuthenticationError.Code
        let explanation: String
    }

    @Test(arguments: [
        Row(
            testDescription: "it ended well", exit: .status(0), wasShown: true, code: .cancelledByUser,
            explanation: "the window was closed"),
        Row(
            testDescription: "it ended well before its window opened", exit: .status(0), wasShown: false, code: .cancelledByUser,
            explanation: "the window was closed"),
        Row(
            testDescription: "its end was not told", exit: .unknown, wasShown: true, code: .cancelledByUser,
            explanation: "the window was closed"),
        Row(
            testDescription: "a failure at the start, such as no display", exit: .status(1), wasShown: false, code: .cannotShow,
            explanation: "firefox exited with status 1"),
        Row(
            testDescription: "a failure later, such as a display that is gone", exit: .status(1), wasShown: true, code: .browserVanished,
            explanation: "firefox exited with status 1"),
        Row(
            testDescription: "a crash at the start, such as a sandbox that is missing", exit: .signal(5), wasShown: false,
            code: .cannotShow, explanation: "firefox was terminated by signal 5"),
        Row(
            testDescription: "a crash later", exit: .signal(11), wasShown: true, code: .browserVanished,
            explanation: "firefox was terminated by signal 11"),
        Row(
            testDescription: "killed", exit: .signal(9), wasShown: true, code: .browserVanished,
            explanation: "firefox was terminated by signal 9"),
    ])
    func `only a browser that ended well was closed by the person`(row: Row) {
        let error = ProfileWindow.meaning(of: row.exit, wasShown: row.wasShown, name: "firefox")
        #expect(error.code == row.code)
        #expect(error.explanation == row.explanation)
    }
}
