/// The readers of a store's changes. Each reader has a buffer, and is notified if it was too slow for it.
struct ChangeReaders {
    /// The number of changes that can wait for a reader.
    private static let buffer = 256

    private var readers: [UInt64: AsyncStream<CredentialChange>.Continuation] = [:]
    private var next: UInt64 = 0

    static func makeStream() -> (AsyncStream<CredentialChange>, AsyncStream<CredentialChange>.Continuation) {
        AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(buffer))
    }

    mutating func add(_ reader: AsyncStream<CredentialChange>.Continuation) -> UInt64 {
        defer { next += 1 }
        readers[next] = reader
        return next
    }

    mutating func remove(_ reader: UInt64) { readers[reader] = nil }

    func finish() {
        for reader in readers.values { reader.finish() }
    }

    /// Notifies the readers. Called under the store's lock, so that changes are reported in order.
    func tell(of account: CredentialAccount, to version: CredentialVersion?) {
        guard !readers.isEmpty else { return }
        let change = CredentialChange.changed(account.id, to: version)
        for reader in readers.values {
            if case .dropped = reader.yield(change) { reader.yield(.missedSome) }
        }
    }
}
