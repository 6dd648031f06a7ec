package import AuthHubPrimitives

extension Origin {
    /// Reads an optional origin of a record: `.some(nil)` if the record has no such member, and nil if the member is not an origin.
    package static func optional(_ name: String, in members: JSONObject) -> Origin?? {
        guard let value = members[name] else { return .some(nil) }
        return value.string.flatMap(Origin.init(url:)).map { .some($0) }
    }
}
