import AuthHubPrimitives
import JOSE
import Testing

/// Wycheproof's encrypted tokens. Each row is a test case.
@Suite(.enabled(if: Vectors.areHere, Vectors.absence)) struct WycheproofEncryptionTests {
    /// The valid rows that are rejected by design.
    static let rejected: [Int: String] = [
        100: weak, 101: weak, 102: weak, 103: weak, 104: weak, 105: weak, 112: weak, 128: weak,
        135: "compressed content can be a bomb, and its length reveals the content (RFC 8725 §3.6)",
    ]
    private static let weak = "RSA1_5 lets attackers decrypt tokens (RFC 8725 §3.2)"

    static let rows = WycheproofRow.all("json_web_encryption_test.json", member: "jwe")
    static let cryptoRows = WycheproofRow.all("json_web_crypto_test.json", member: "jwe")

    /// The plaintexts of the valid rows, by ID.
    private static let plaintexts: [Int64: String] = {
        let groups = Vectors.read("wycheproof/json_web_encryption_test.json")?["testGroups"]?.array ?? []
        let tests = groups.flatMap { $0["tests"]?.array ?? [] }
        return Dictionary(tests.map { ($0["tcId"]?.number?.int64 ?? 0, $0["pt"]?.string ?? "") }) { first, _ in first }
    }()

    @Test(arguments: rows) func `decrypts valid tokens and rejects invalid ones`(row: WycheproofRow) throws {
        let outcome = try Self.decrypted(row)
        if let reason = Self.rejected[row.id] {
            #expect(row.isValid, "no exception is needed")
            #expect(throws: JOSEError.self, "no longer rejected: \(reason)") { try outcome.get() }
            if case .failure(let error) = outcome { #expect(error.code == .notAllowed) }
        } else if row.isValid {
            let plaintext = try outcome.get()
            #expect(plaintext.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == Self.plaintexts[Int64(row.id)])
        } else {
            #expect(throws: JOSEError.self) { try outcome.get() }
        }
    }

    @Test(arguments: cryptoRows) func `decrypts the encrypted tokens among the rows for all of JOSE`(row: WycheproofRow) throws {
        let outcome = try Self.decrypted(row)
        #expect(((try? outcome.get()) != nil) == row.isValid)
    }

    @Test func `all rows are there, and all but the exceptions end as labelled`() {
        #expect(Self.rows.count == 139)
        #expect(Self.rows.filter(\.isValid).count == 65)
        #expect(Self.rejected.count == 9)
        #expect(Set(Self.rejected.keys).isSubset(of: Self.rows.map(\.id)))
        #expect(Self.cryptoRows.count == 34)
    }

    private static func decrypted(_ row: WycheproofRow) throws -> Result<[UInt8], JOSEError> {
        let key = try DecryptionKey(Secret(#require(row.privateKey)))
        return Result { () throws(JOSEError) in
            try JSONWebEncryption(Secret(row.token)).decrypted(by: [key], allowing: .everything).reveal()
        }
    }
}
