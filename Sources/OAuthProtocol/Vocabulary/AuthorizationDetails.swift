public import AuthHubPrimitives

/// A detailed description of requested or granted access, for APIs that need more than scopes (RFC 9396 §2).
public struct AuthorizationDetail: Sendable, Hashable {
    /// The kind of access: a name that the API defines.
    public let type: String
    /// All members, including `type`.
    public let members: JSONObject

    /// Creates a description from its JSON members.
    ///
    /// - Throws: ``OAuthError`` with `.misuse` if `type` is missing, empty or not a string.
    public init(_ members: JSONObject) throws(OAuthError) {
        guard let type = members["type"]?.string, !type.isEmpty else {
            throw OAuthError(.misuse, "an authorization detail has no type")
        }
        self.type = type
        self.members = members
    }
}

extension AuthorizationDetail {
    /// The URLs of the resource servers (RFC 9396 §2.2).
    package var locations: [String]? { texts("locations") }
    /// The requested actions.
    package var actions: [String]? { texts("actions") }
    /// One resource at the API.
    package var identifier: String? { members["identifier"]?.string }
    /// The requested kinds of privileges.
    package var privileges: [String]? { texts("privileges") }

    private func texts(_ name: String) -> [String]? { members[name]?.array.map { $0.compactMap(\.string) } }
}

/// The `authorization_details` of a request or response (RFC 9396 §2).
public struct AuthorizationDetails: Sendable, Hashable {
    /// The descriptions, in the order in which they are sent or were received.
    public var details: [AuthorizationDetail]

    /// Creates a list of descriptions; by default, it is empty.
    public init(_ details: [AuthorizationDetail] = []) {
        self.details = details
    }

    /// Reads a JSON array of objects, each with a `type`.
    ///
    /// - Throws: ``OAuthError`` with `.misuse` if the value is anything else.
    package init(json: JSONValue) throws(OAuthError) {
        guard let values = json.array else { throw OAuthError(.misuse, "the authorization details are not a JSON array") }
        details = []
        for value in values {
            guard let members = value.object else { throw OAuthError(.misuse, "an authorization detail is not a JSON object") }
            details.append(try AuthorizationDetail(members))
        }
    }

    /// Whether there are no details. Then the parameter is not sent.
    package var isEmpty: Bool { details.isEmpty }
    /// The JSON value of `authorization_details`.
    package var json: JSONValue { .array(details.map { .object($0.members) }) }

    /// The value of the parameter `authorization_details`.
    var text: String { String(decoding: json.serialized(), as: UTF8.self) }

    /// Whether other details are the same, whatever the order of the details and of the members of each.
    package func matches(_ other: AuthorizationDetails) -> Bool {
        var rest = other.details.map { $0.members.inOrder }
        for detail in details {
            guard let index = rest.firstIndex(of: detail.members.inOrder) else { return false }
            rest.remove(at: index)
        }
        return rest.isEmpty
    }
}

extension JSONObject {
    /// The object with all members ordered by name, including those of nested objects, for comparison.
    fileprivate var inOrder: JSONObject {
        JSONObject(
            members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.lazy.map { ($0.name, $0.value.inOrder) })
    }
}

extension JSONValue {
    fileprivate var inOrder: JSONValue {
        switch self {
        case .object(let object): .object(object.inOrder)
        case .array(let values): .array(values.map(\.inOrder))
        default: self
        }
    }
}
