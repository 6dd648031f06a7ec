import AuthHubPrimitives

extension CredentialStoreError {
    /// An error for a store that was unreachable for so long that another holder may have the lease by now.
    package static var lostLease: Self {
        Self(
            .leaseHeld,
            "the account's lease expired before it was used, because the store could not be reached; nothing was sent; try again"
        )
    }

    package static var cancelledWait: Self {
        Self(.cancelled, "the task was cancelled while it waited for another holder; nothing was changed")
    }

    static func leaseHeld(by process: Int32?, waited timeout: Duration) -> Self {
        let holder = process.map { "process \($0)" } ?? "another holder"
        return Self(
            .leaseHeld,
            "\(holder) holds the account's lease and did not release it within \(timeout.inWords); wait for it to finish, or end it",
            leaseHolder: process)
    }

    package static func writeLockHeld(by process: Int32?, waited timeout: Duration) -> Self {
        let holder = process.map { "process \($0)" } ?? "another process"
        return Self(
            .leaseHeld,
            "\(holder) has been writing the record for more than \(timeout.inWords); nothing was changed; wait for it to finish, or end it",
            leaseHolder: process)
    }
}
