import AuthHubPrimitives

/// A record in an archive: its account, its version and its payload.
struct ArchivedRecord: Sendable {
    let account: CredentialAccount
    let version: CredentialVersion
    let payload: Secret<[UInt8]>
}

/// The bytes of several records: first the number of records, then for each the account's identity, and the version and the payload,
/// each preceded by its length.
///
/// Numbers have four bytes, big-endian.
enum ArchivedRecords {
    static func bytes(of records: [ArchivedRecord]) -> [UInt8] {
        records.reduce(into: number(records.count)) { bytes, record in
            bytes += record.account.identity
            bytes += number(record.version.bytes.count) + record.version.bytes
            bytes += number(record.payload.reveal().count)
            bytes += record.payload.reveal()
        }
    }

    /// Parses records.
    ///
    /// - Returns: nil unless there are only complete records without trailing bytes, no duplicate accounts and no payload larger than a
    ///   store accepts.
    static func reading(_ bytes: [UInt8]) -> [ArchivedRecord]? {
        var rest = bytes[...]
        guard let count = number(from: &rest) else { return nil }
        var records: [CredentialAccount: ArchivedRecord] = [:]
        var order: [CredentialAccount] = []
        for _ in 0..<count {
            guard let identity = CredentialAccount.reading(identityFrom: rest) else { return nil }
            rest = rest[identity.end...]
            guard let version = block(from: &rest), let payload = block(from: &rest), payload.count <= StoredCredential.largestPayload
            else {
                return nil
            }
            let record = ArchivedRecord(
                account: identity.account, version: CredentialVersion(bytes: Array(version)), payload: Secret(Array(payload)))
            guard records.updateValue(record, forKey: identity.account) == nil else { return nil }
            order.append(identity.account)
        }
        guard rest.isEmpty else { return nil }
        return order.compactMap { records[$0] }
    }

    private static func number(_ number: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func number(from rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }

    private static func block(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let length = number(from: &rest), rest.count >= length else { return nil }
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
    }
}
