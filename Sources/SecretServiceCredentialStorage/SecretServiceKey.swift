public import CredentialStorage
public import AuthHubPrimitives
import Dispatch

/// A key for an ``CredentialStorage/EncryptedFileStore``, stored as an item in the user's keyring: 32 random bytes.
///
/// Reading the key blocks the calling thread: for up to three seconds if the service does not respond, or for as long as the user may take
/// if a prompt is shown.
public struct SecretServiceKey: Sendable {
    /// The length of the key in bytes.
    package static let keyLength = 32

    private let items: ServiceItem
    private let lockFolder: Result<LockFolder, CredentialStoreError>
    private let client: SecretServiceClient

    /// Creates a key source. Does not access the keyring.
    ///
    /// - Parameters:
    ///   - service: A name for the program's items, such as its bundle identifier.
    ///   - locks: The absolute path of a folder for lock files, which must be the same for all processes of the user. The folder is created
    ///     when it is needed. If nil, a folder in the service's data folder is used.
    ///   - prompting: Whether the user may be asked to unlock the keyring.
    public init(service: String, locks: String? = nil, prompting: SecretServicePrompting = .never) {
        self.init(service: service, locks: locks, prompting: prompting, parts: SecretServiceParts())
    }

    package init(service: String, locks: String? = nil, prompting: SecretServicePrompting = .never, parts: SecretServiceParts) {
        items = ServiceItem(service: service)
        lockFolder = LockFolder.ofKeyring(service: service, path: locks)
        client = SecretServiceClient(collection: .default, prompting: prompting, parts: parts)
    }
}

extension SecretServiceKey: StoreKeySource {
    /// Returns the key in the keyring. If there is no key and `creatingIfMissing` is true, creates one.
    ///
    /// - Throws: ``CredentialStoreError`` with `.unavailable`, `.locked`, `.dismissed` or `.timedOut` if the keyring cannot be used, or
    ///   with `.corrupt` if the item does not contain a key.
    public func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>? {
        let cancellation = Cancellation()
        if client.prompting != .never {
            try client.runNow(cancellation) { session throws(CredentialStoreError) in
                try session.prepareCollection(client.collection, client.prompting)
            }
        }
        if let key = try standing(cancellation) { return key }
        guard creatingIfMissing else { return nil }
        let lock = try lockFolder.get().keyLock(cancellation)
        defer { lock.release() }
        if let key = try standing(cancellation) { return key }
        let bytes = WipedBytes(randomBytes(count: Self.keyLength))
        return try client.runNow(cancellation) { session throws(CredentialStoreError) in
            let collection = try session.openCollection(client.collection)
            try session.createItem(bytes.value, labelled: items.keyLabel, items.key, in: collection)
            // The item that is stored now counts, because the next caller gets it.
            return try session.key(items, in: collection)
        }
    }

    private func standing(_ cancellation: Cancellation) throws(CredentialStoreError) -> Secret<[UInt8]>? {
        try client.runNow(cancellation) { session throws(CredentialStoreError) in
            try session.key(items, in: session.openCollection(client.collection))
        }
    }

    /// Returns the state of the service without asking the user.
    package func state() async -> SecretServiceState {
        await client.condition()
    }
}

extension ServiceSession {
    fileprivate func key(_ items: ServiceItem, in collection: String) throws(CredentialStoreError) -> Secret<[UInt8]>? {
        guard let item = try newest(of: self.items(items.key, in: collection)) else { return nil }
        let bytes = try secret(of: item)
        guard bytes.count == SecretServiceKey.keyLength else {
            throw CredentialStoreError(
                .corrupt,
                "the keyring's item for the store's key does not contain \(SecretServiceKey.keyLength) bytes; restore it from a backup, or remove it and the records"
            )
        }
        return Secret(bytes)
    }
}

extension LockFolder {
    /// Returns the folder of the locks for a service's items. It is in the user's home, like the keyring, so that all their processes find
    /// it.
    static func ofKeyring(service: String, path: String?) -> Result<LockFolder, CredentialStoreError> {
        do throws(CredentialStoreError) {
            if let path { return .success(LockFolder(path: path)) }
            return .success(LockFolder(path: "\(try DataFolder.path(of: service))/secret-service/locks"))
        } catch {
            return .failure(error)
        }
    }

    /// Locks the creation of the key, on a thread that may block.
    fileprivate func keyLock(_ cancellation: Cancellation) throws(CredentialStoreError) -> FileLock {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            if let lock = try keyLockIfFree() { return lock }
            guard !cancellation.isCancelled else { throw .cancelledWait }
            guard ContinuousClock.now < deadline else { throw .writeLockHeld(by: nil, waited: .seconds(10)) }
            cancellation.pause(.milliseconds(10))
        }
    }
}
