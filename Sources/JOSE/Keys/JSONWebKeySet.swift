public import AuthHubPrimitives

/// The public keys of a server (RFC 7517 §5).
public struct JSONWebKeySet: Sendable, Hashable {
    /// A key that cannot be used.
    public struct RejectedKey: Sendable, Hashable {
        /// The position of the key in the document, from 0.
        public let index: Int
        /// The key's `kid`; nil if it has none.
        public let keyID: String?
        /// Why the key cannot be used.
        public let error: JOSEError
    }

    /// The keys that can be used, in the order of the document.
    public let keys: [JSONWebKey]
    /// The keys that cannot be used, in the order of the document.
    public let rejected: [RejectedKey]

    let memory = KeySetMemory()

    /// The maximum number of keys of a document.
    static let largestCount = 100

    /// Creates a set from the JSON document that a server publishes.
    ///
    /// Keys that are not supported, not safe to use or not public are skipped, and listed in ``rejected``. So are keys with the same `kid`,
    /// `kty`, `alg` and `use`, because no header could tell them apart.
    ///
    /// - Throws: ``JOSEError`` with `.malformed` if `keys` is not an array of objects or has more than 100 members, and with `.unusableKey`
    ///   if the set has public keys and symmetric keys.
    public init(_ document: JSONObject) throws(JOSEError) {
        try self.init(document) { members throws(JOSEError) in try JSONWebKey(members) }
    }

    /// Creates a set of symmetric keys. The document must not come from a server.
    package init(symmetric document: JSONObject) throws(JOSEError) {
        try self.init(document) { members throws(JOSEError) in try JSONWebKey(symmetric: members) }
    }

    /// Creates a set of keys, such as a client secret.
    package init(_ keys: [JSONWebKey]) {
        self.keys = keys
        rejected = []
    }

    private init(_ document: JSONObject, key: (JSONObject) throws(JOSEError) -> JSONWebKey) throws(JOSEError) {
        let all = try Self.objects(in: document)
        let duplicates = Set(
            Dictionary(grouping: all.indices) { Identification(all[$0]) }.filter { $0.key.keyID != nil && $0.value.count > 1 }.values
                .joined())
        var keys: [JSONWebKey] = []
        var rejected: [RejectedKey] = []
        for (index, members) in all.enumerated() {
            do throws(JOSEError) {
                guard !duplicates.contains(index) else {
                    throw JOSEError(.ambiguousKey, "several keys have the same kid, kty, alg and use")
                }
                keys.append(try key(members))
            } catch {
                rejected.append(RejectedKey(index: index, keyID: members["kid"]?.string, error: error))
            }
        }
        self.keys = keys
        self.rejected = rejected
    }

    private static func objects(in document: JSONObject) throws(JOSEError) -> [JSONObject] {
        guard let members = document["keys"]?.array else { throw JOSEError(.malformed, "the key set has no array of keys") }
        guard members.count <= largestCount else {
            throw JOSEError(.malformed, "the key set has \(members.count) keys; at most \(largestCount) are supported")
        }
        let objects = members.compactMap(\.object)
        guard objects.count == members.count else { throw JOSEError(.malformed, "a key of the key set is not an object") }
        let symmetric = objects.count { $0["kty"]?.string == KeyType.oct.rawValue }
        guard symmetric == 0 || symmetric == objects.count else {
            throw JOSEError(.unusableKey, "the key set has public keys and symmetric keys")
        }
        return objects
    }
}

/// The members that tell the keys of a set apart, compared before the keys are parsed: a key that cannot be parsed may still be the one that
/// a header means.
private struct Identification: Hashable {
    let keyID: JSONValue?
    let others: [JSONValue?]

    init(_ members: JSONObject) {
        keyID = members["kid"]
        others = ["kty", "alg", "use"].map { members[$0] }
    }
}
