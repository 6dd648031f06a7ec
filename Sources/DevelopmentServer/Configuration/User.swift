public import AuthHubPrimitives

/// Someone who can sign in.
public struct DevelopmentUser: Sendable, Hashable {
    /// The number that stays when the login changes; the subject of ID tokens is this number as text.
    public var id: Int
    public var login: String
    public var password: Secret<String>
    public var name: String
    public var email: String

    public init(id: Int, login: String, password: Secret<String>, name: String? = nil, email: String? = nil) {
        self.id = id
        self.login = login
        self.password = password
        self.name = name ?? login
        self.email = email ?? "\(login)@example.com"
    }
}

extension DevelopmentUser {
    /// The users of a server that was given none. Their passwords guard nothing: they are the same in every copy.
    public static let examples = [
        Self(id: 583_231, login: "octocat", password: Secret("octocat-password"), name: "The Octocat"),
        Self(id: 92_997_159, login: "mona", password: Secret("mona-password"), name: "Mona Lisa Octocat"),
    ]

    /// Reads `{"login": …, "password": …}`, with `id`, `name` and `email` where they matter.
    ///
    /// - Parameter position: The place in a list of users, from 0: it makes the id of a user who has none.
    /// - Throws: ``DevelopmentServerError`` that names the member that is missing or of the wrong type.
    public init(json: JSONValue, position: Int = 0) throws(DevelopmentServerError) {
        guard let members = json.object else { throw .unusableUser(position: position, reason: "it is not a JSON object") }
        func text(_ name: String) throws(DevelopmentServerError) -> String? {
            guard let value = members[name] else { return nil }
            guard let text = value.string, !text.isEmpty else {
                throw .unusableUser(position: position, reason: "\"\(name)\" is not a nonempty string")
            }
            return text
        }
        guard let login = try text("login") else { throw .unusableUser(position: position, reason: "\"login\" is missing") }
        guard let password = try text("password") else { throw .unusableUser(position: position, reason: "\"password\" is missing") }
        var id = 1000 + position
        if let value = members["id"] {
            guard let number = value.number?.int64, number > 0 else {
                throw .unusableUser(position: position, reason: "\"id\" is not a positive integer")
            }
            id = Int(number)
        }
        self.init(id: id, login: login, password: Secret(password), name: try text("name"), email: try text("email"))
    }

    /// Reads a JSON array of users.
    ///
    /// - Throws: ``DevelopmentServerError`` for what is not such an array, for an empty one, and for two users with one login or one id.
    public static func list(json: JSONValue) throws(DevelopmentServerError) -> [Self] {
        guard let values = json.array, !values.isEmpty else { throw .noUsers }
        var users: [Self] = []
        for (position, value) in values.enumerated() {
            let user = try Self(json: value, position: position)
            guard !users.contains(where: { $0.login == user.login || $0.id == user.id }) else {
                throw .unusableUser(position: position, reason: "its login or id is already used by another user")
            }
            users.append(user)
        }
        return users
    }
}
