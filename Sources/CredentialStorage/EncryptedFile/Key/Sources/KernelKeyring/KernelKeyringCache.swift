package import AuthHubPrimitives
import Synchronization

/// Caches the key of another source in the user's kernel keyring on Linux, so that the user is not asked every time.
///
/// The keyring is in memory that is not swapped, and is lost at shutdown. All programs of the user can read it. Only the key is cached,
/// never a record, and using it does not extend its lifetime. If the system has no keyring or forbids its use, as many containers do,
/// nothing is cached and the source is asked every time.
package final class KernelKeyringCache: Sendable {
    private let source: any FingerprintedKeySource
    private let lifetime: Duration
    /// The key that was cached already. It keeps the expiry that it has in the keyring.
    private let placed = Mutex<StoreKeyFingerprint?>(nil)

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - source: The source to ask if nothing is cached. It identifies the current key, so a key that was replaced is not used.
    ///   - lifetime: The lifetime of the cached key, in whole seconds, at least one.
    package init(_ source: any FingerprintedKeySource, lifetime: Duration = .seconds(3_600)) {
        self.source = source
        self.lifetime = lifetime
    }
}

extension KernelKeyringCache: FingerprintedKeySource {
    /// Returns the key.
    ///
    /// - Throws: ``CredentialStoreError``, as the source does.
    package func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>? {
        if let fingerprint = try source.fingerprint(), let key = kept(fingerprint) { return key }
        guard let key = try source.key(creatingIfMissing: creatingIfMissing) else { return nil }
        keep(key)
        return key
    }

    /// Returns the source's fingerprint, without reading the keyring.
    package func fingerprint() throws(CredentialStoreError) -> StoreKeyFingerprint? {
        try source.fingerprint()
    }

    /// Removes the key from the keyring, so that the next process must ask.
    package func forget() throws(CredentialStoreError) {
        #if os(Linux)
        if let fingerprint = try source.fingerprint() { KernelKeyring.forget(Self.name(fingerprint)) }
        #endif
    }

    /// The reason that keys cannot be cached on this system, as a sentence; nil if they can.
    package static var obstacle: String? {
        #if os(Linux)
        KernelKeyring.obstacle
        #else
        "only Linux has a kernel keyring"
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
