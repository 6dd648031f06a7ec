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
            testDescription: "it exited normally", exit: .status(0), wasShown: true, code: .cancelledByUser,
            explanation: "the window was closed"),
        Row(
            testDescription: "it exited normally before its window opened", exit: .status(0), wasShown: false, code: .cancelledByUser,
            explanation: "the window was closed"),
        Row(
            testDescription: "its exit status is unknown", exit: .unknown, wasShown: true, code: .cancelledByUser,
            explanation: "the window was closed"),
        Row(
            testDescription: "a failure at startup, such as no display", exit: .status(1), wasShown: false, code: .cannotShow,
            explanation: "firefox exited with status 1"),
        Row(
            testDescription: "a failure later, such as a lost display", exit: .status(1), wasShown: true, code: .browserVanished,
            explanation: "firefox exited with status 1"),
        Row(
            testDescription: "a crash at startup, such as a missing sandbox", exit: .signal(5), wasShown: false,
            code: .cannotShow, explanation: "firefox was terminated by signal 5"),
        Row(
            testDescription: "a crash later", exit: .signal(11), wasShown: true, code: .browserVanished,
            explanation: "firefox was terminated by signal 11"),
        Row(
            testDescription: "killed", exit: .signal(9), wasShown: true, code: .browserVanished,
            explanation: "firefox was terminated by signal 9"),
    ])
    func `only a browser that exited normally was closed by the user`(row: Row) {
        let error = ProfileWindow.meaning(of: row.exit, wasShown: row.wasShown, name: "firefox")
        #expect(error.code == row.code)
        #expect(error.explanation == row.explanation)
    }
}
