/// The reason that a development server did not start.
public enum DevelopmentServerError: Error, Hashable, Sendable {
    /// The port is in use, or this program is not permitted to use it.
    case cannotListen(port: Int, reason: String)
    /// A user in the list is invalid. `position` counts from 0.
    case unusableUser(position: Int, reason: String)
    /// The list of users is empty or not a JSON array.
    case noUsers
}

extension DevelopmentServerError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotListen(let port, let reason):
            "cannot listen on 127.0.0.1:\(port): \(reason); choose another port, or 0 for any free port"
        case .unusableUser(let position, let reason):
            "user \(position + 1) cannot be used: \(reason); each user must be an object with \"login\" and \"password\""
        case .noUsers:
            "there are no users; write a JSON array of objects with \"login\" and \"password\""
        }
    }
}
