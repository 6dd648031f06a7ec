import AuthHubPrimitives
import Testing

@testable import AuthHubApp

@MainActor @Suite(.timeLimit(.minutes(15)))
struct TitleTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let name: JSONValue
        let title: String
        let subtitle: String
    }

    @Test(arguments: [
        Row(testDescription: "a name", name: "Mona Lisa", title: "Mona Lisa", subtitle: "mona"),
        Row(testDescription: "no name", name: .null, title: "mona", subtitle: "GitHub"),
        Row(testDescription: "an empty name", name: "", title: "mona", subtitle: "GitHub"),
        Row(testDescription: "a name of spaces", name: " \u{a0}", title: "mona", subtitle: "GitHub"),
    ])
    func `the title is the user's name, or their login`(row: Row) async throws {
        let bench = Bench()
        bench.services.always(at: "/user", .answer(200, ["id": 7, "login": "mona", "name": row.name]))
        let list = try await bench.listed()
        #expect(list.title == row.title)
        #expect(list.subtitle == row.subtitle)
    }
}
