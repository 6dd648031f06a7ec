import CredentialStorage
import OAuthProtocol
import Testing

@testable import AuthHubApp

struct SetupProblemTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let problem: AppProblem
        let expected: AppProblem
    }

    @Test(arguments: [
        Row(
            testDescription: "a settings file", problem: AppProblem(SettingsError(file: "/a.json", problem: "is not JSON")),
            expected: AppProblem(
                "The app's settings cannot be used.",
                advice: "\(SettingsError(file: "/a.json", problem: "is not JSON")). Correct the file, then try again.",
                remedy: .tryAgain)),
        Row(
            testDescription: "a store", problem: AppProblem(CredentialStoreError(.refused, "the folder belongs to somebody else")),
            expected: AppProblem(
                "There is no place to save your sign-in.", advice: "The folder belongs to somebody else.", remedy: .tryAgain)),
        Row(
            testDescription: "text that changes the writing direction, hides or controls",
            problem: AppProblem(CredentialStoreError(.refused, "the \u{202E}folder\u{9B}\u{200B} is\n not there")),
            expected: AppProblem("There is no place to save your sign-in.", advice: "The folder is not there.", remedy: .tryAgain)),
    ])
    func `explains in sentences why the app cannot start, and offers a retry`(row: Row) {
        #expect(row.problem == row.expected)
    }
}
