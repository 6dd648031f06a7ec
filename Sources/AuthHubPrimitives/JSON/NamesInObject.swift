/// The member names of an object so far, compared byte by byte. A small object compares them one by one, which allocates no memory; a large
/// one uses a dictionary, so that building it takes linear time.
struct NamesInObject {
    private static let few = 32
    private var many: [MemberName: Int] = [:]

    /// Inserts the name of the next member; if the object already has it, returns the index of its member instead.
    mutating func insert(_ name: MemberName, afterMembersOf object: JSONObject) -> Int? {
        guard object.members.count >= Self.few else { return object.index(of: name) }
        if many.isEmpty {
            for (index, name) in object.names.enumerated() { many[name] = index }
        }
        if let index = many[name] { return index }
        many[name] = object.members.count
        return nil
    }
}
