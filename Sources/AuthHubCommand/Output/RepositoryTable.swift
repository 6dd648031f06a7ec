import AuthHubPrimitives
import GitHubAPI
import Platform

/// The human-readable table of repositories.
struct RepositoryTable {
    private var table = Table(columns: [
        .init(title: "REPOSITORY", tints: [.cyan]),
        .init(title: "DESCRIPTION", minimumWidth: 12),
        .init(title: "LANGUAGE"),
        .init(title: "STARS", isRightAligned: true, tints: [.yellow]),
        .init(title: "ACCESS"),
        .init(title: "UPDATED", tints: [.faint]),
    ])

    private static let descriptionWidth = 60

    init(_ repositories: [Repository], without redaction: Redaction = Redaction([])) {
        table.rows = repositories.map { repository in
            [
                redaction.applied(to: repository.fullName),
                redaction.applied(to: repository.about ?? "").cut(toWidth: Self.descriptionWidth),
                redaction.applied(to: repository.language ?? ""),
                String(repository.stars), repository.isPrivate ? "private" : "public",
                repository.updatedAt.map { String($0.formatted(.iso8601).prefix(10)) } ?? "",
            ]
        }
    }

    func rendered(_ style: Style, width: Int?) -> String {
        table.rendered(style, width: width)
    }
}

extension Repository {
    /// The output for `-o json`.
    var json: JSONValue {
        [
            "id": .number(JSONNumber(id)), "full_name": .string(fullName), "description": about.map(JSONValue.string) ?? .null,
            "language": language.map(JSONValue.string) ?? .null, "private": .bool(isPrivate), "stars": .number(JSONNumber(stars)),
            "updated_at": updatedAt.map { .string($0.formatted(.iso8601)) } ?? .null, "url": page.map(JSONValue.string) ?? .null,
        ]
    }
}
