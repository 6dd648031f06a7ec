import AuthHubPrimitives

extension CredentialStoreError {
    /// An error for a store that was unreachable for so long that another holder may have the lease by now.
    package static var lostLease: Self {
        Self(
            .leaseHeld, "The account's lease ended before it was used, because the store could not be reached. Nothing was sent; try again."
        )
    }

    package static var cancelledWait: Self {
        Self(.cancelled, "The task was cancelled while it waited for another holder. Nothing was changed.")
    }

    static func leaseHeld(by process: Int32?, waited timeout: Duration) -> Self {
        let holder = process.map { "Process \($0)" } ?? "Another holder"
        return Self(
            .leaseHeld,
            "\(holder) holds the account's lease, and has not released it within \(timeout.inWords). Wait for it to finish, or end it.",
            leaseHolder: process)
    }

    static func writeLockHeld(by process: Int32?, waited timeout: Duration) -> Self {
        let holder = process.map { "Process \($0)" } ?? "Another process"
        return Self(
            .leaseHeld,
            "\(holder) has been writing the record for more than \(timeout.inWords). Nothing was changed. Wait for it to finish, or end it.",
            leaseHolder: process)
    }
}
