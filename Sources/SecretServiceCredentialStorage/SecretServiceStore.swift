public import CredentialStorage
public import AuthHubPrimitives

/// A store with one item per record in the user's keyring: GNOME Keyring, KeePassXC, KWallet, or any other provider of the Secret Service.
///
/// libsecret is loaded when the store is first used. If libsecret, a message bus or the service is missing, every call throws
/// `.unavailable`. If the keyring is locked, calls throw `.locked`, unless the user may be asked to unlock it. Apart from prompts, no call
/// waits for the service for more than three seconds; then it throws `.timedOut`.
///
/// Lock files exclude concurrent writers and lease holders in all processes. The service itself has no locks, so other programs can change
/// items at any time. If there are two items for one account, the item that was changed last is used, and the next write removes the
/// others.
public struct SecretServiceStore: Sendable {
    let items: ServiceItem
    let lockFolder: Result<LockFolder, CredentialStoreError>
    let client: SecretServiceClient
    let reached: SecretServiceStepHook

    /// Creates a store in the user's keyring. Does not access the keyring.
    ///
    /// - Parameters:
    ///   - service: A name for the program's items, such as its bundle identifier. Programs that use the same name share their records.
    ///   - locks: The absolute path of a folder for lock files, which must be the same for all processes of the user. The folder is created
    ///     when it is needed, and must not contain anything else. If nil, a folder in the service's data folder is used.
    ///   - collection: The keyring to use.
    ///   - prompting: Whether the user may be asked to unlock the keyring.
    public init(
        service: String, locks: String? = nil, collection: SecretServiceCollection = .default, prompting: SecretServicePrompting = .never
    ) {
        self.init(service: service, locks: locks, collection: collection, prompting: prompting, parts: SecretServiceParts())
    }

    /// Creates a store with a hook for tests.
    ///
    /// - Parameter reached: Called at each step of writing and deleting; an error that it throws fails the step.
    package init(
        service: String, locks: String? = nil, collection: SecretServiceCollection = .default, prompting: SecretServicePrompting = .never,
        parts: SecretServiceParts, reached: @escaping SecretServiceStepHook = { _ in }
    ) {
        items = ServiceItem(service: service)
        lockFolder = LockFolder.ofKeyring(service: service, path: locks)
        client = SecretServiceClient(collection: collection, prompting: prompting, parts: parts)
        self.reached = reached
    }
}

/// The points of a write or deletion at which a process may die.
package enum SecretServiceStep: String, Sendable, CaseIterable {
    case locked, compared, stored, removed
}

package typealias SecretServiceStepHook = @Sendable (SecretServiceStep) throws(CredentialStoreError) -> Void

extension SecretServiceStore: CredentialStore {
    /// Reads the record of an account from the keyring; nil if the account has none.
    ///
    /// - Throws: ``CredentialStoreError``: `.corrupt` or `.tooNew` if the record cannot be used (the item is not changed), or
    ///   `.unavailable`, `.locked`, `.dismissed` or `.timedOut` if the keyring cannot be used.
    public func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        try await client.prepare()
        return try await client.run { session throws(CredentialStoreError) in
            try session.record(of: account, items, in: session.openCollection(client.collection))?.credential
        }
    }

    /// Stores a record as an item in the keyring, if the account's current version is `expected` (nil: no record).
    ///
    /// Cancelling the task does not stop the write, except while a prompt is shown.
    ///
    /// - Throws: ``CredentialStoreError``, with `.leaseHeld` if another writer does not finish within a minute. With `.timedOut` and
    ///   `.failed`, it is unknown whether the record was stored; with any other code, the old record is unchanged.
    public func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        try StoredCredential.checkSize(of: payload)
        let new = StoredCredential(payload: payload, version: .unique())
        let bytes = WipedBytes(try ServiceRecord.bytes(of: new, for: account))
        try await client.prepare()
        let lock = try await lockFolder.get().writeLock(account.id)
        defer { lock.release() }
        try reached(.locked)
        return try await client.run(whenCancelled: .goesOn) { session throws(CredentialStoreError) in
            let collection = try session.openCollection(client.collection)
            let standing = try session.record(of: account, items, in: collection)
            // An earlier attempt of this write may have succeeded before the service went away.
            if standing?.credential.version == new.version { return .stored(new.version) }
            guard standing?.credential.version == expected else { return .superseded(by: standing?.credential) }
            try reached(.compared)
            if let standing {
                try session.setSecret(bytes.value, of: standing.item)
                // The item that was changed last counts; the next write retries the deletion.
                try? session.deleteItems(standing.others)
            } else {
                try session.createItem(
                    bytes.value, labelled: items.label(of: account), items.newRecord(of: account.id), in: collection)
            }
            try reached(.stored)
            return .stored(new.version)
        }
    }

    /// Deletes a record if its version is `expected`. If `expected` is nil, deletes the record even if it cannot be read.
    ///
    /// Cancelling the task does not stop the deletion, except while a prompt is shown.
    @discardableResult
    public func delete(
        _ account: CredentialAccount, at expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> Bool {
        try await client.prepare()
        let lock = try await lockFolder.get().writeLock(account.id)
        defer { lock.release() }
        try reached(.locked)
        return try await client.run(whenCancelled: .goesOn) { session throws(CredentialStoreError) in
            let collection = try session.openCollection(client.collection)
            if let expected, let standing = try session.record(of: account, items, in: collection),
                standing.credential.version != expected
            {
                return false
            }
            try reached(.compared)
            try session.deleteItems(session.items(items.record(of: account.id), in: collection))
            try reached(.removed)
            return true
        }
    }

    /// Checks that the keyring exists and is unlocked. Asks the user to unlock it if prompting is allowed.
    public func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) {
        try await client.prepare()
        _ = try await client.run { session throws(CredentialStoreError) in try session.openCollection(client.collection) }
    }

    /// Acquires the account's lease with a lock file. Does not use the keyring.
    @concurrent
    public func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        try await lockFolder.get().lease(account.id, waitingAtMost: timeout)
    }
}
