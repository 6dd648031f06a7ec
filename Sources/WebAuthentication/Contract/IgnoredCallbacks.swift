import AuthHubPrimitives

/// The responses and requests that arrived while a sign-in waited for its callback, but were not accepted.
public struct IgnoredCallbacks: Sendable, Hashable {
    /// The number of rejected responses at the redirect URI: their `state` was missing or belonged to another sign-in, they arrived before
    /// the request, or they used another response mode.
    public internal(set) var foreignResponses = 0
    /// The IDs of other users of this machine whose requests were rejected.
    private(set) var users: Set<UInt32> = []
    private(set) var rejectedRequests = 0

    /// How many users are recorded; requests of others are only counted.
    private static let maximumUsers = 8

    /// Creates a count for an authenticator of your own.
    ///
    /// - Parameter foreignResponses: The number of responses that did not belong to the sign-in.
    public init(foreignResponses: Int = 0) {
        self.foreignResponses = foreignResponses
    }

    /// - Parameter user: The user whose program sent the request; nil if that is not known.
    mutating func rejectedRequest(of user: UInt32?) {
        rejectedRequests += 1
        if let user, users.count < Self.maximumUsers { users.insert(user) }
    }

    static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.foreignResponses += right.foreignResponses
        sum.rejectedRequests += right.rejectedRequests
        sum.users.formUnion(right.users)
        return sum
    }

    /// A description of what was ignored, and how often, for an error message; nil if nothing was ignored.
    public var explanation: String? {
        let parts = [
            foreignResponses > 0 ? responses : nil,
            rejectedRequests > 0 ? "\(requests) of \(origin) \(rejectedRequests == 1 ? "was" : "were") rejected" : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", and ")
    }

    /// Returns whether this value contains a kind that the other does not: only a new kind deserves a separate message, because a stranger
    /// can send thousands of each.
    func holdsAnotherKind(than other: Self) -> Bool {
        foreignResponses > 0 && other.foreignResponses == 0 || rejectedRequests > 0 && other.rejectedRequests == 0
    }

    private var responses: String {
        foreignResponses == 1
            ? "a response that does not belong to this sign-in arrived and was ignored"
            : "\(foreignResponses) responses that do not belong to this sign-in arrived and were ignored"
    }

    private var requests: String { rejectedRequests == 1 ? "a request" : "\(rejectedRequests) requests" }

    private var origin: String {
        guard !users.isEmpty else { return "a program whose user is unknown" }
        if let doubt = users.lazy.compactMap({ UserNamespace.current.doubt(about: $0) }).first {
            return "a user who may not be you (\(doubt))"
        }
        return "another user of this machine (user ID \(users.sorted().map(String.init).joined(separator: ", ")))"
    }
}
