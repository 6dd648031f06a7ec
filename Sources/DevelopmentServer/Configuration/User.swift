public import AuthHubPrimitives

/// A user who can sign in.
public struct DevelopmentUser: Sendable, Hashable {
    /// The ID, which stays the same if the login changes. The subject of ID tokens is this number as a string.
    public var id: Int
    /// The user name to enter on the sign-in page, such as `octocat`.
    public var login: String
    /// The password to enter on the sign-in page.
    public var password: Secret<String>
    /// The display name on the consent page and in the user's claims.
    package var name: String
    /// The user's e-mail address. The userinfo endpoint reports the address as verified.
    package var email: String

    /// Creates a user. By default, the display name is the login, and the e-mail address is `LOGIN@example.com`.
    public init(id: Int, login: String, password: Secret<String>, name: String? = nil, email: String? = nil) {
        self.id = id
        self.login = login
        self.password = password
        self.name = name ?? login
        self.email = email ?? "\(login)@example.com"
    }
}

extension DevelopmentUser {
    /// The users of a server whose configuration has none. Their passwords do not protect anything, because they are the same in every copy
    /// of this program.
    public static let examples = [
        Self(id: 583_231, login: "octocat", password: Secret("octocat-password"), name: "The Octocat"),
        Self(id: 92_997_159, login: "mona", password: Secret("mona-password"), name: "Mona Lisa Octocat"),
    ]

    /// Creates a user from `{"login": …, "password": …}`, with optional `id`, `name` and `email`.
    ///
    /// - Parameter position: The position in a list of users, from 0; it determines the ID of a user without one.
    /// - Throws: ``DevelopmentServerError``, naming the member, if a member is missing or has the wrong type.
    package init(json: JSONValue, position: Int = 0) throws(DevelopmentServerError) {
        guard let members = json.object else { throw .unusableUser(position: position, reason: "it is not a JSON object") }
        func text(_ name: String) throws(DevelopmentServerError) -> String? {
            guard let value = members[name] else { return nil }
            guard let text = value.string, !text.isEmpty else {
                throw .unusableUser(position: position, reason: "\"\(name)\" must be a string that is not empty")
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
    /// - Throws: ``DevelopmentServerError`` if it is not such an array, if it is empty, and if two users have the same login or ID.
    package static func list(json: JSONValue) throws(DevelopmentServerError) -> [Self] {
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
