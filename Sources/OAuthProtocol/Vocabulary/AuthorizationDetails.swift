public import AuthHubPrimitives

/// Access in detail, where names of scopes are too coarse (RFC 9396 §2).
public struct AuthorizationDetail: Sendable, Hashable {
    /// What kind of access it is about: the name of an API's own.
    public let type: String
    /// All members, `type` included.
    public let members: JSONObject

    /// - Throws: ``OAuthError`` with `.misuse` for an object without a `type` that is a text with something in it.
    public init(_ members: JSONObject) throws(OAuthError) {
        guard let type = members["type"]?.string, !type.isEmpty else {
            throw OAuthError(.misuse, "an authorization detail has no type")
        }
        self.type = type
        self.members = members
    }
}

extension AuthorizationDetail {
    /// Where the access is to be had: addresses of resource servers (RFC 9396 §2.2).
    public var locations: [String]? { texts("locations") }
    /// What is to be done there.
    public var actions: [String]? { texts("actions") }
    /// The kinds of data that are wanted.
    public var dataTypes: [String]? { texts("datatypes") }
    /// One resource at the API.
    public var identifier: String? { members["identifier"]?.string }
    /// The kinds of privileges that are wanted.
    public var privileges: [String]? { texts("privileges") }

    private func texts(_ name: String) -> [String]? { members[name]?.array.map { $0.compactMap(\.string) } }
}

/// The details of one request or one answer, in order.
public struct AuthorizationDetails: Sendable, Hashable {
    /// In the order they are sent, or came.
    public var details: [AuthorizationDetail]

    public init(_ details: [AuthorizationDetail] = []) {
        self.details = details
    }

    /// Reads a JSON array of objects, each with a `type`.
    ///
    /// - Throws: ``OAuthError`` with `.misuse` for anything else.
    public init(json: JSONValue) throws(OAuthError) {
        guard let values = json.array else { throw OAuthError(.misuse, "the authorization details are not a JSON array") }
        details = []
        for value in values {
            guard let members = value.object else { throw OAuthError(.misuse, "an authorization detail is not a JSON object") }
            details.append(try AuthorizationDetail(members))
        }
    }

    /// Without any, nothing is sent.
    public var isEmpty: Bool { details.isEmpty }
    /// As `authorization_details` has it, before it becomes text.
    public var json: JSONValue { .array(details.map { .object($0.members) }) }

    /// As the parameter `authorization_details` carries them.
    var text: String { String(decoding: json.serialized(), as: UTF8.self) }

    /// Whether others say the same, in whatever order the details and the members of each are written.
    public func matches(_ other: AuthorizationDetails) -> Bool {
        var rest = other.details.map { $0.members.inOrder }
        for detail in details {
            guard let index = rest.firstIndex(of: detail.members.inOrder) else { return false }
            rest.remove(at: index)
        }
        return rest.isEmpty
    }
}

extension JSONObject {
    /// The same with the members of this and of the objects within ordered by name, for comparison.
    fileprivate var inOrder: JSONObject {
        var object = JSONObject()
        for member in members.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            object[member.name] = member.value.inOrder
        }
        return object
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
