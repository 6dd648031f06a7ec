package import CredentialStorage

extension PlatformCredentialStore {
    /// Chooses another store from now on, and continues to read the store whose records are being moved.
    ///
    /// May be called again after an interruption. All processes see every record during the move.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused` if another move has not finished.
    package func beginMoving(from source: CredentialStoreKind, to target: CredentialStoreKind) async throws(CredentialStoreError) {
        let lock = try await choice.lock()
        defer { lock.release() }
        if let other = try choice.read(), let otherSource = other.movingFrom {
            guard other == StoreDecision(target, movingFrom: source) else {
                throw CredentialStoreError(
                    .refused,
                    "credentials are being moved from “\(otherSource)” to “\(other.kind)”; finish that migration first, with the same source and target"
                )
            }
            return
        }
        _ = try store(of: target)
        try choice.write(StoreDecision(target, movingFrom: source))
    }

    /// Abandons the old store permanently. Call it when no records are left in it.
    package func endMoving(to target: CredentialStoreKind) async throws(CredentialStoreError) {
        let lock = try await choice.lock()
        defer { lock.release() }
        try choice.write(StoreDecision(target))
    }
}
