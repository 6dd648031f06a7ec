import AuthHubPrimitives
import Platform

/// A user's repository.
struct Repository: Sendable {
    let id: Int64
    let name: String
    let description: String?
    let language: String?
    let isPrivate: Bool
    let isFork: Bool
    let stars: Int64
    let openIssues: Int64
    let createdAt: Date
    let pushedAt: Date
}

extension Repository {
    /// Returns the repositories, the same for every user and in every run, except for their times, which are relative to an instant.
    static func all(count: Int, before instant: Date) -> [Self] {
        (0..<max(0, count)).map { index in
            let noun = nouns[index % nouns.count]
            let round = index / nouns.count
            let suffix = round < suffixes.count ? suffixes[round] : "-\(round)"
            return Self(
                id: 1_296_269 + Int64(index) * 7_919, name: noun.name + suffix, description: index % 9 == 8 ? nil : noun.description,
                language: index % 7 == 6 ? nil : languages[index % languages.count], isPrivate: index % 5 == 3, isFork: index % 6 == 5,
                stars: Int64(index * index * 37 % 4_211), openIssues: Int64(index * 3 % 17),
                createdAt: instant - .seconds(86_400 * (900 + index * 11)), pushedAt: instant - .seconds(3_600 * (1 + index * 31 % 700)))
        }
    }

    /// Returns the repositories that match `visibility` (or `type`), by `sort` and `direction`; by default sorted by name, as on GitHub.
    static func select(from repositories: [Self], query: FormParameters) -> [Self] {
        let wanted = query["visibility"] ?? query["type"]
        let visible = repositories.filter { wanted == "private" ? $0.isPrivate : wanted == "public" ? !$0.isPrivate : true }
        let sort = query["sort"] ?? "full_name"
        let isAscending = query["direction"].map { $0 == "asc" } ?? (sort == "full_name")
        let sorted: [Self] =
            switch sort {
            case "created": visible.sorted { $0.createdAt < $1.createdAt }
            case "pushed", "updated": visible.sorted { $0.pushedAt < $1.pushedAt }
            default: visible.sorted { $0.name < $1.name }
            }
        return isAscending ? sorted : sorted.reversed()
    }

    private static let nouns = [
        (name: "Hello-World", description: "My first repository."), (name: "Spoon-Knife", description: "A repository to fork."),
        (name: "linguist", description: "Detects the language of source files."),
        (name: "boysenberry", description: "Notes & recipes."),
        (name: "lighthouse", description: "Monitors servers."),
        (name: "test-bed", description: "Experiments come here <first>."),
        (name: "dotfiles", description: "My shell and editor settings."), (name: "kelp", description: "A small key-value store."),
        (name: "tide-tables", description: "Tide tables for the coming year."),
        (name: "anchor", description: "Pins the versions of dependencies."),
        (name: "plankton", description: "A collection of very small libraries."),
        (name: "coral", description: "Generates documentation from code — slowly."),
        (name: "squid", description: "A logging library."), (name: "harbour", description: "Starts and stops containers."),
        (name: "compass", description: "Searches large source trees."),
        (name: "barnacle", description: "A debugger that attaches to running processes."),
        (name: "lagoon", description: "A small data store."), (name: "current", description: "Streams with back pressure."),
        (name: "octo-app", description: "An app that signs in with GitHub."),
    ]
    private static let suffixes = ["", "-swift", "-docs", "-legacy", "-examples", "-site"]
    private static let languages = ["Swift", "Ruby", "Go", "TypeScript", "C", "Python", "Rust", "HTML"]
}

extension Date {
    fileprivate static func - (date: Self, duration: Duration) -> Self {
        date.addingTimeInterval(-(duration / .seconds(1)))
    }
}
