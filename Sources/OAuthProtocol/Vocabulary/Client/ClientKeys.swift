public import AuthHubPrimitives
public import JOSE
public import Platform

/// The private keys of a client: the one that it signs with, and those that decrypt messages to it.
///
/// Publish ``publicKeys(at:)`` at the client's `jwks_uri`, or register them as ``ClientMetadata/keySet``. Store ``serialized()`` where
/// credentials are stored, so that all processes of the program have the same keys.
public struct ClientKeys: Sendable {
    /// A key, and the time in which it is used.
    struct Scheduled<Key: Sendable>: Sendable {
        let key: Key
        /// The time from which the key is used; nil if it always was.
        var begin: Date?
        /// The time at which the key is dropped; nil if it has not been replaced.
        var end: Date?

        func isKept(at now: Date) -> Bool { end.map { now < $0 } ?? true }
    }

    /// In the order in which they were added.
    var signing: [Scheduled<SoftwareSigningKey>]
    var decryption: [Scheduled<DecryptionKey>]

    /// Creates a set of keys.
    ///
    /// - Parameters:
    ///   - signing: The key that the client signs with; nil if it signs nothing.
    ///   - decryption: The keys that decrypt messages to the client.
    public init(signing: SoftwareSigningKey? = nil, decryption: [DecryptionKey] = []) {
        self.signing = signing.map { [Scheduled(key: $0)] } ?? []
        self.decryption = decryption.map { Scheduled(key: $0) }
    }
}

extension ClientKeys {
    /// Returns the key that the client signs with; nil if it signs nothing.
    public func signingKey(at now: Date) -> SoftwareSigningKey? {
        signing.last { $0.begin.map { $0 <= now } ?? true }?.key
    }

    /// Returns the public keys as a key set (RFC 7517 §5), without any private member.
    ///
    /// During a rotation, the set has the old and the new key for signatures, but only the new keys for encryption, because the sender
    /// chooses the key (OpenID Connect Core 1.0 §10.1.1 and §10.2.1).
    public func publicKeys(at now: Date) -> JSONObject {
        let published =
            signing.filter { $0.isKept(at: now) }.map(\.key.publicKey) + decryption.filter { $0.end == nil }.compactMap(\.key.publicKey)
        var set = JSONObject()
        set["keys"] = .array(published.map { .object($0.publicMembers) })
        return set
    }

    /// Whether there is a key to sign with, now or later.
    var canSign: Bool { !signing.isEmpty }

    /// The keys that may decrypt a message.
    package func decryptionKeys(at now: Date) -> [DecryptionKey] {
        decryption.filter { $0.isKept(at: now) }.map(\.key)
    }
}

extension ClientKeys: Equatable {
    /// Values are equal if they have the same keys, with the same members, and use them at the same times. Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool {
        constantTimeEqual(left.serialized().reveal(), right.serialized().reveal())
    }
}

extension ClientKeys: CustomStringConvertible, CustomReflectable {
    public var description: String { "signing keys: \(signing.count), decryption keys: \(decryption.count)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
