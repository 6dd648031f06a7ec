@testable import AuthHubCommand
import Testing

struct SimilarNamesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let word: String
        let similar: [String]
    }

    private static let names = ["github", "github-app", "gitlab", "jwt", "spotify"]

    @Test(arguments: [
        Row(testDescription: "a missing letter", word: "spotfy", similar: ["spotify"]),
        Row(testDescription: "a letter too many", word: "spottify", similar: ["spotify"]),
        Row(testDescription: "swapped letters", word: "gihtub", similar: ["github"]),
        Row(testDescription: "swapped letters in a short name", word: "jtw", similar: ["jwt"]),
        Row(testDescription: "another letter, the most similar first", word: "gitlub", similar: ["github", "gitlab"]),
        Row(testDescription: "upper case", word: "Spotfy", similar: ["spotify"]),
        Row(testDescription: "the beginning of names", word: "gith", similar: ["github", "github-app"]),
        Row(testDescription: "two letters of a short name", word: "jax", similar: []),
        Row(testDescription: "another word", word: "nothing", similar: []),
        Row(testDescription: "nothing", word: "", similar: []),
    ])
    func `similar names begin with the word or differ in few letters`(row: Row) {
        #expect(SimilarNames.of(row.word, among: Self.names) == row.similar)
    }

    @Test func `a question names all similar names`() {
        #expect(SimilarNames.question("gitlub", among: Self.names) == "did you mean github or gitlab?")
        #expect(SimilarNames.question("git", among: Self.names) == "did you mean github, github-app or gitlab?")
        #expect(SimilarNames.question("nothing", among: Self.names) == nil)
    }
}
