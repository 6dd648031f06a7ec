import AuthHubPrimitives
import Platform
import Testing

@testable import AuthHubApp
@testable import GitHubAPI

struct RepositoryLineTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    struct Age: CustomTestStringConvertible, Sendable {
        let seconds: Double
        let text: String
        var testDescription: String { "\(seconds) s: \(text)" }

        init(_ seconds: Double, _ text: String) {
            (self.seconds, self.text) = (seconds, text)
        }
    }

    @Test(arguments: [
        Age(-86_400, "just now"), Age(0, "just now"), Age(59.9, "just now"), Age(60, "1 minute ago"), Age(119, "1 minute ago"),
        Age(120, "2 minutes ago"), Age(3599, "59 minutes ago"), Age(3600, "1 hour ago"), Age(3 * 3600, "3 hours ago"),
        Age(86_399, "23 hours ago"), Age(86_400, "1 day ago"), Age(29.9 * 86_400, "29 days ago"), Age(30 * 86_400, "1 month ago"),
        Age(61 * 86_400, "2 months ago"), Age(364 * 86_400, "11 months ago"), Age(365 * 86_400, "1 year ago"),
        Age(1000 * 86_400, "2 years ago"), Age(.greatestFiniteMagnitude, "2739 years ago"),
    ])
    func `describes the last push in everyday words`(row: Age) {
        #expect(RepositoryLine.age(of: Self.now.addingTimeInterval(-row.seconds), at: Self.now) == row.text)
    }

    @Test(
        arguments: [
            (0, "0"), (999, "999"), (1000, "1k"), (1099, "1k"), (1234, "1.2k"), (9999, "9.9k"), (12_345, "12k"), (999_999, "999k"),
            (1_000_000, "1M"), (2_560_000, "2.5M"), (Int64.max, "9223372036854M"),
        ] as [(Int64, String)])
    func `abbreviates large numbers of stars`(stars: Int64, text: String) {
        #expect(RepositoryLine.compact(stars) == text)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let json: JSONValue
        let details: String
        let spoken: String
    }

    @Test(arguments: [
        Row(
            testDescription: "everything",
            json: [
                "id": 1, "full_name": "octocat/hello", "private": true, "language": "Swift", "stargazers_count": 1234,
                "pushed_at": "2027-01-15T05:00:00Z",
            ],
            details: "Swift · ★ 1.2k · pushed 3 hours ago", spoken: "Private, Swift, 1234 stars, pushed 3 hours ago"),
        Row(
            testDescription: "one star",
            json: ["id": 1, "full_name": "octocat/hello", "stargazers_count": 1, "pushed_at": "2027-01-15T07:59:30Z"],
            details: "★ 1 · pushed just now", spoken: "1 star, pushed just now"),
        Row(
            testDescription: "an empty repository", json: ["id": 1, "full_name": "octocat/hello", "stargazers_count": -3],
            details: "no pushes yet", spoken: "no pushes yet"),
    ])
    func `a row shows what is known, and no more`(row: Row) throws {
        let line = RepositoryLine(try Repository(json: row.json), now: Self.now)
        #expect(line.name == "octocat/hello")
        #expect(line.details == row.details)
        #expect(line.spoken == row.spoken)
        #expect((line.visibility != nil) == row.spoken.hasPrefix("Private"))
    }

    @Test func `the end of the list shows the number of repositories`() {
        #expect([0, 1, 237].map(RepositoryLine.count) == ["No repositories", "1 repository", "237 repositories"])
    }
}
