package import AuthHubPrimitives

extension Origin {
    /// Reads an origin that a record may name: nil if the record has no such member, and nothing at all if it is not an origin.
    package static func optional(_ name: String, in members: JSONObject) -> Origin?? {
        guard let value = members[name] else { return .some(nil) }
        return value.string.flatMap(Origin.init(url:)).map { .some($0) }
    }
}
