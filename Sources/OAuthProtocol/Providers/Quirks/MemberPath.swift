import AuthHubPrimitives

/// The path of a member in a JSON document: names separated by dots, with a number for the index in a list: `authed_user.access_token`.
package struct MemberPath: Sendable, Hashable {
    private let first: String
    private let rest: [String]

    /// - Returns: nil if a part of the path is empty.
    package init?(_ text: String) {
        var parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !parts.contains("") else { return nil }
        first = parts.removeFirst()
        rest = parts
    }
}

extension MemberPath: ExpressibleByStringLiteral, CustomStringConvertible {
    /// For literals, which have no empty part.
    package init(stringLiteral value: String) {
        var parts = value.split(separator: ".").map(String.init)
        first = parts.isEmpty ? value : parts.removeFirst()
        rest = parts
    }

    package var description: String { ([first] + rest).joined(separator: ".") }
}

extension MemberPath {
    fileprivate func value(in object: JSONObject) -> JSONValue? {
        var value = object[first]
        for name in rest {
            switch value {
            case .object(let object): value = object[name]
            case .array(let elements): value = Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            default: return nil
            }
        }
        return value
    }
}

extension JSONObject {
    /// The member at a path; nil if any part of the path is missing.
    subscript(path: MemberPath) -> JSONValue? { path.value(in: self) }
}
