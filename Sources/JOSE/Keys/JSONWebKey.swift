public import AuthHubPrimitives
import Crypto

/// A public key (RFC 7517, RFC 7518 §6, RFC 8037 §2), checked and parsed once.
///
/// RSA keys of 2048 to 8192 bits, keys on P-256, P-384 and P-521, and Ed25519 and X25519 keys are supported.
public struct JSONWebKey: Sendable {
    /// The key's `kid`, which tells the keys of a set apart.
    public var keyID: String? { contents.keyID }
    /// The key's type, `kty`: `RSA`, `EC` or `OKP`.
    public var keyType: String { parsed.type.rawValue }
    /// The only algorithm that the key may be used with, `alg`; nil if any fits.
    public var algorithm: String? { contents.algorithm }
    /// What the key may be used for, such as `sig` or `enc`; nil if it is not restricted.
    public var use: String? { contents.use }
    /// The operations that the key may be used for, `key_ops`, such as `verify`; nil if they are not restricted.
    public var operations: [String]? { contents.operations }
    /// The only issuer that the key may sign for (`issuer`, which is not a registered member); nil if it may sign for all of the server's.
    package var issuer: String? { contents.issuer }
    /// The base64url-encoded SHA-256 thumbprint of the key (RFC 7638).
    public var thumbprint: String { contents.thumbprint }

    package var parsed: ParsedKey { contents.parsed }
    /// The members that define the key, in the order of RFC 7638 §3.2; empty for a symmetric key.
    package var identity: JSONObject { contents.identity }

    /// One object, because keys are copied for each token.
    private let contents: Contents

    private final class Contents: Sendable {
        let keyID: String?
        let algorithm: String?
        let use: String?
        let operations: [String]?
        let issuer: String?
        let thumbprint: String
        let parsed: ParsedKey
        let identity: JSONObject

        init(_ parsed: ParsedKey, keyID: String?, algorithm: String?, use: String?, operations: [String]?, issuer: String?) {
            self.parsed = parsed
            self.keyID = keyID
            self.algorithm = algorithm
            self.use = use
            self.operations = operations
            self.issuer = issuer
            let required = parsed.requiredMembers
            thumbprint = Base64URL.encode(HashAlgorithm.sha256.digest(of: JSONValue.object(required).serialized()))
            identity = parsed.type == .oct ? JSONObject() : required
        }
    }

    /// Creates a public key from the members of its JSON object.
    ///
    /// Unknown members and certificates (`x5c`, `x5u`) are ignored.
    ///
    /// - Throws: ``JOSEError`` with `.malformed` or `.unusableKey` if a member is missing or malformed, the key is not supported or not safe
    ///   to use (RFC 7518 §3.3, RFC 8725 §3.4), or has members of a private or a symmetric key.
    public init(_ members: JSONObject) throws(JOSEError) {
        let members = KeyMembers(members)
        if let name = KeyMembers.privateNames.first(where: members.contains) {
            throw JOSEError(.unusableKey, "the key is not a public key: it has the member \(name)")
        }
        try self.init(members, ParsedKey(publicKey: members))
    }

    /// Creates a symmetric key from the members of its JSON object (RFC 7518 §6.4). The object must not come from a server.
    package init(symmetric members: JSONObject) throws(JOSEError) {
        let members = KeyMembers(members)
        try self.init(members, ParsedKey(symmetricKey: members))
    }

    /// Creates a symmetric key from a client secret, whose UTF-8 bytes are the key (OpenID Connect Core 1.0 §10.1).
    package init(clientSecret: Secret<String>) {
        self.init(.symmetric(Secret(SymmetricKey(data: Array(clientSecret.reveal().utf8)))))
    }

    private init(_ members: KeyMembers, _ parsed: ParsedKey) throws(JOSEError) {
        self.init(
            parsed, keyID: try members.string("kid"), algorithm: try members.string("alg"), use: try members.string("use"),
            operations: try members.strings("key_ops"), issuer: try members.string("issuer"))
        if let algorithm, let properties = SignatureAlgorithm(rawValue: algorithm).properties, !hasType(for: properties) {
            throw JOSEError(.unusableKey, "the key's alg does not fit its type or curve")
        }
    }

    /// Creates a key from a parsed key.
    package init(
        _ parsed: ParsedKey, keyID: String? = nil, algorithm: String? = nil, use: String? = nil, operations: [String]? = nil,
        issuer: String? = nil
    ) {
        contents = Contents(parsed, keyID: keyID, algorithm: algorithm, use: use, operations: operations, issuer: issuer)
    }

    /// Whether the key has the type and the curve that an algorithm requires.
    func hasType(for properties: SignatureAlgorithm.Properties) -> Bool {
        parsed.type == properties.keyType && parsed.curve == properties.curve
    }

    /// The members to publish, without those that were ignored. Empty for a symmetric key.
    public var publicMembers: JSONObject {
        guard parsed.type != .oct else { return JSONObject() }
        var members = identity
        for member in attributes.members { members[member.name] = member.value }
        return members
    }

    private var attributes: JSONObject {
        var members = JSONObject()
        members["kid"] = keyID.map(JSONValue.string)
        members["alg"] = algorithm.map(JSONValue.string)
        members["use"] = use.map(JSONValue.string)
        members["key_ops"] = operations.map { .array($0.map(JSONValue.string)) }
        return members
    }
}

extension JSONWebKey: Hashable {
    /// Keys are equal if they have the same thumbprint, ID, algorithm, use, operations and issuer, byte by byte.
    public static func == (left: Self, right: Self) -> Bool {
        left.thumbprint == right.thumbprint && left.attributes == right.attributes
            && left.issuer.map { Array($0.utf8) } == right.issuer.map { Array($0.utf8) }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(thumbprint)
        hasher.combine(keyID)
    }
}
