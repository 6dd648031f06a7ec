public import AuthHubPrimitives
import Synchronization

/// A cache that avoids repeated prompts: it stores another source's key in the user's kernel keyring for some time, on Linux.
///
/// The keyring is in memory that is not swapped, and is lost on reboot; until then, all programs of the user can read it. It stores only
/// the key, never a record, and only for its lifetime: programs that use the key do not extend it. If the system has no keyring or forbids
/// its use, as many containers do, nothing is cached and the source is asked each time.
public final class KernelKeyringCache: Sendable {
    private let source: any FingerprintedKeySource
    private let lifetime: Duration
    /// The key that was cached already. It keeps the expiry that it has in the keyring.
    private let placed = Mutex<StoreKeyFingerprint?>(nil)

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - source: The source to ask if nothing is cached. It reports which key is current, so that a replaced key is not used.
    ///   - lifetime: The time from the source's response on, in whole seconds, at least one.
    public init(_ source: any FingerprintedKeySource, lifetime: Duration = .seconds(3_600)) {
        self.source = source
        self.lifetime = lifetime
    }
}

extension KernelKeyringCache: FingerprintedKeySource {
    /// Returns the key.
    ///
    /// - Throws: ``CredentialStoreError``, as the source does.
    public func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>? {
        if let fingerprint = try source.fingerprint(), let key = kept(fingerprint) { return key }
        guard let key = try source.key(creatingIfMissing: creatingIfMissing) else { return nil }
        keep(key)
        return key
    }

    public func fingerprint() throws(CredentialStoreError) -> StoreKeyFingerprint? {
        try source.fingerprint()
    }

    /// Removes the key from the keyring, so that the next process has to ask.
    public func forget() throws(CredentialStoreError) {
        #if os(Linux)
        if let fingerprint = try source.fingerprint() { KernelKeyring.forget(Self.name(fingerprint)) }
        #endif
    }

    /// The reason, as a sentence, why keys are not cached on this system; nil if they are.
    public static var obstacle: String? {
        #if os(Linux)
        KernelKeyring.obstacle
        #else
        "Only Linux has a keyring in the kernel."
        #endif
    }
}

extension KernelKeyringCache {
    /// Returns the name of the key in the keyring, as `keyctl show @u` lists it.
    package static func name(_ fingerprint: StoreKeyFingerprint) -> String {
        "authhub:store-key:\(fingerprint.bytes.hexadecimal)"
    }

    private func kept(_ fingerprint: StoreKeyFingerprint) -> Secret<[UInt8]>? {
        #if os(Linux)
        guard let key = KernelKeyring.secret(named: Self.name(fingerprint)), StoreKeyFingerprint(of: key) == fingerprint else { return nil }
        return key
        #else
        nil
        #endif
    }

    private func keep(_ key: Secret<[UInt8]>) {
        #if os(Linux)
        let fingerprint = StoreKeyFingerprint(of: key)
        let isNew = placed.withLock { placed in
            defer { placed = fingerprint }
            return placed != fingerprint
        }
        if isNew { KernelKeyring.keep(key, named: Self.name(fingerprint), for: lifetime) }
        #endif
    }
}
