import AuthHub
import AuthHubPrimitives

extension SignedInUser {
    private static let textLimit = 255

    /// The user, in words: `octocat (user ID 583231)`.
    var words: String {
        let identifier = "user ID \(escaped(id, limit: Self.textLimit))"
        return shownName.map { "\($0) (\(identifier))" } ?? identifier
    }

    /// The name, or else the identifier.
    var shortWords: String { shownName ?? escaped(id, limit: Self.textLimit) }

    private var shownName: String? { name.flatMap { $0.isEmpty ? nil : escaped($0, limit: Self.textLimit) } }

    /// The output for `-o json`.
    var json: JSONValue {
        ["id": .string(id), "name": name.map(JSONValue.string) ?? .null, "source": .string(source.rawValue)]
    }
}

extension UserCheck {
    /// Rejects a sign-in of another user, for commands that cannot ask.
    static let keeping = Self { _, _ in false }
}
