#if PostgreSQL
public import CredentialStorage

extension PostgreSQLCredentialStore: CredentialInventory {
    /// Reads and decrypts all records, a few megabytes at a time.
    @concurrent
    public func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        var accounts: [CredentialAccount] = []
        var unreadable: [CredentialStoreError] = []
        try await forEachRow { row, outcome in
            switch outcome {
            case .success(let account): if includingUnlisted || account.isListed { accounts.append(account) }
            case .failure(let error):
                let name = row.account.bytes.prefix(8).hexadecimalDigits
                unreadable.append(CredentialStoreError(error.code, "record \(name)…: \(error.explanation)", underlying: error.underlying))
            }
        }
        return (accounts, unreadable)
    }

    /// Removes damaged records, except for records that another program replaces at the same time.
    ///
    /// - Returns: The number of removed records.
    @concurrent @discardableResult
    public func removeUnreadable() async throws(CredentialStoreError) -> Int {
        var corrupt: [SealedRow] = []
        try await forEachRow { row, outcome in
            if case .failure(let error) = outcome, error.code == .corrupt { corrupt.append(row) }
        }
        var count = 0
        for row in corrupt {
            // Only the version that was read: a record that was replaced since remains.
            count += try await database.perform(.change) { [records] session throws(DatabaseError) in
                try session.run(records.delete, [.bytes(row.account.bytes), .bytes(row.version.bytes)]).changed
            }
        }
        return count
    }

    private func forEachRow(
        _ body: (SealedRow, Result<CredentialAccount, CredentialStoreError>) -> Void
    ) async throws(CredentialStoreError) {
        var last: [UInt8] = []
        while true {
            let page = try await database.perform(.read) { [records, last] session throws(DatabaseError) in
                let rows = try session.run(records.page, [.bytes(last)])
                return (0..<rows.count).compactMap { SealedRow(rows, $0) }
            }
            guard let end = page.last else { return }
            for row in page {
                body(row, Result { () throws(CredentialStoreError) in try row.open(with: keyring).account })
            }
            last = end.account.bytes
        }
    }
}

extension Sequence<UInt8> {
    var hexadecimalDigits: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Parses pairs of hexadecimal digits; nil for anything else.
    init?(hexadecimalDigits text: some StringProtocol) {
        let values = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard values.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: values.count, by: 2) {
            guard let high = values[index], let low = values[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        self = bytes
    }
}
#endif
