import AuthHubPrimitives
import GitHubAPI
import Testing

@testable import AuthHubApp

@MainActor @Suite(.timeLimit(.minutes(15)))
struct FilterTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let filter: String
        let matches: [String]
        let count: String
    }

    @Test(arguments: [
        Row(testDescription: "nothing", filter: " ", matches: ["mona/Hello", "mona/world"], count: "2 repositories"),
        Row(testDescription: "a part of a name, in the other case", filter: "hELL", matches: ["mona/Hello"], count: "1 of 2 repositories"),
        Row(testDescription: "a word of a description", filter: "greets", matches: ["mona/Hello"], count: "1 of 2 repositories"),
        Row(
            testDescription: "two words, in name and description", filter: "greets mona", matches: ["mona/Hello"],
            count: "1 of 2 repositories"),
        Row(testDescription: "two words of which one is missing", filter: "hello world", matches: [], count: "0 of 2 repositories"),
    ])
    func `lists what has all words in its name or description`(row: Row) async throws {
        let bench = Bench()
        bench.services.always(
            at: "/user/repos",
            .answer(200, [["id": 1, "full_name": "mona/Hello", "description": "Greets you"], ["id": 2, "full_name": "mona/world"]]))
        let list = try await bench.listed()
        await until { list.isComplete }
        list.filter = row.filter
        #expect(list.matches.map(\.fullName) == row.matches)
        #expect(list.countText.hasPrefix(row.count), "\(list.countText)")
        #expect(list.repositories.count == 2)
    }
}
