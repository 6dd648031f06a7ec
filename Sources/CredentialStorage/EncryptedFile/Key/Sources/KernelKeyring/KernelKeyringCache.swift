public import AuthHubPrimitives
import Synchronization

/// Spares the person the question for some time: keeps another source's key in the kernel's keyring of the user, on Linux.
///
/// The keyring lies in memory that is not swapped, and ends with the system's run; all programs of the user can read it meanwhile. It keeps
/// the key alone, never a record, and no more than its time: programs that use the key do not prolong it. Where the system has no keyring or
/// forbids it, as many containers do, nothing is kept and the source is asked each time.
public final class KernelKeyringCache: Sendable {
    private let source: any FingerprintedKeySource
    private let lifetime: Duration
    /// What was put there already, which has the keyring's time to live and no longer.
    private let placed = Mutex<StoreKeyFingerprint?>(nil)

    /// - Parameters:
    ///   - source: Asked where nothing is kept. It names the key that stands now, so that one which was replaced is not taken.
    ///   - lifetime: From the answer of the source on; whole seconds, at least one.
    public init(_ source: any FingerprintedKeySource, lifetime: Duration = .seconds(3_600)) {
        self.source = source
        self.lifetime = lifetime
    }
}

extension KernelKeyringCache: FingerprintedKeySource {
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

    /// Takes the key out of the keyring: the next process has to ask.
    public func forget() throws(CredentialStoreError) {
        #if os(Linux)
        if let fingerprint = try source.fingerprint() { KernelKeyring.forget(Self.name(fingerprint)) }
        #endif
    }

    /// Why keys are not kept on this system, in a sentence; nil where they are.
    public static var obstacle: String? {
        #if os(Linux)
        KernelKeyring.obstacle
        #else
        "only Linux has a kernel keyring"
        #endif
    }
}

extension KernelKeyringCache {
    /// What the key is called in the keyring, where `keyctl show @u` lists it.
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
