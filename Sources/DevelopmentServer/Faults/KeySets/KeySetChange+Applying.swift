import AuthHubPrimitives

extension KeySetChange {
    /// Changes the key set in a response.
    func apply(to answer: inout Answer, from state: ServerState) {
        guard var members = answer.members, let keys = members["keys"]?.array else { return }
        members["keys"] = .array(changed(keys, issuer: state.issuer))
        answer.body = JSONValue.object(members).serialized()
    }

    private func changed(_ keys: [JSONValue], issuer: String) -> [JSONValue] {
        switch self {
        case .member(let name, let value): keys.map { Self.changing($0) { $0[name] = value?.naming(issuer) } }
        case .bytes(let name, let change): keys.map { Self.changing($0) { $0[name] = $0[name].map(change.changed) } }
        case .replaced(let key): keys.map { .object(key.members.described(as: $0)) }
        case .added(let values): values + keys
        case .decoys(let decoys): keys + (keys.first.map { first in decoys.flatMap { $0.keys(beside: first) } } ?? [])
        case .filled(let count):
            keys
                + (keys.first.map { first in
                    (keys.count..<max(keys.count, count)).map { number in Self.changing(first) { $0["kid"] = .string("other-\(number)") } }
                } ?? [])
        }
    }

    private static func changing(_ key: JSONValue, _ change: (inout JSONObject) -> Void) -> JSONValue {
        guard var members = key.object else { return key }
        change(&members)
        return .object(members)
    }
}

extension KeySetChange.Bytes {
    fileprivate func changed(_ member: JSONValue) -> JSONValue {
        guard var bytes = member.string.flatMap({ Base64URL.decode($0) }), let last = bytes.indices.last else { return member }
        switch self {
        case .flipped: bytes[last] ^= 1
        case .shortened: bytes.removeLast()
        case .zeroInFront: bytes.insert(0, at: 0)
        }
        return .string(Base64URL.encode(bytes))
    }
}

extension JSONObject {
    /// Returns the key with the purpose of another key: the same `use`, `alg` and `kid`.
    func described(as other: JSONValue) -> JSONObject {
        var members = self
        for name in ["use", "alg", "kid"] { members[name] = other[name] }
        return members
    }
}
