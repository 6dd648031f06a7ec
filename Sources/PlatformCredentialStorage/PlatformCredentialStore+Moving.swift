package import CredentialStorage

extension PlatformCredentialStore {
    /// Chooses another store for the time to come, and keeps looking into the one that records are still to be moved out of.
    ///
    /// May be begun again where it was interrupted. All processes see every record meanwhile.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused` where another move has not ended.
    package func beginMoving(from source: CredentialStoreKind, to target: CredentialStoreKind) async throws(CredentialStoreError) {
        let lock = try await choice.lock()
        defer { lock.release() }
        if let other = try choice.read(), let otherSource = other.movingFrom {
            guard other == StoreDecision(target, movingFrom: source) else {
                throw CredentialStoreError(
                    .refused,
                    "credentials are being moved from “\(otherSource)” to “\(other.kind)”; finish that first with the same source and target"
                )
            }
            return
        }
        _ = try store(of: target)
        try choice.write(StoreDecision(target, movingFrom: source))
    }

    /// Leaves the old store for good. To be called when nothing is left in it.
    package func endMoving(to target: CredentialStoreKind) async throws(CredentialStoreError) {
        let lock = try await choice.lock()
        defer { lock.release() }
        try choice.write(StoreDecision(target))
    }
}
