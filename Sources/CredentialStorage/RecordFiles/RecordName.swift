/// The name of a record's files: a hash of the account, so that an account may have any characters.
struct RecordName: Sendable, Hashable {
    private static let fileExtension = ".credential"

    let digest: [UInt8]

    init(_ account: CredentialAccount.ID) {
        digest = account.bytes
    }

    init(_ account: CredentialAccount) {
        self.init(account.id)
    }

    /// Parses a file name; nil for other files.
    init?(fileName: String) {
        guard fileName.hasSuffix(Self.fileExtension) else { return nil }
        guard let account = CredentialAccount.ID(hexadecimal: fileName.dropLast(Self.fileExtension.count)) else { return nil }
        digest = account.bytes
    }

    var account: CredentialAccount.ID { CredentialAccount.ID(bytes: digest) }

    var record: String { digest.hexadecimal + Self.fileExtension }
    /// The temporary name, which is the same for each write, so that files of killed writers are replaced by the next write and do not
    /// accumulate.
    var temporary: String { digest.hexadecimal + ".new" }
}

extension [UInt8] {
    var hexadecimal: String {
        let digits = Array<UInt8>("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension CredentialAccount.ID {
    /// Parses hexadecimal digits; nil unless there are 64, in lower case.
    init?(hexadecimal: Substring) {
        let digits = Array(hexadecimal.utf8)
        guard digits.count == 64 else { return nil }
        let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) }
        guard bytes.count == 32, bytes.hexadecimal.utf8.elementsEqual(digits) else { return nil }
        self.init(bytes: bytes)
    }
}
