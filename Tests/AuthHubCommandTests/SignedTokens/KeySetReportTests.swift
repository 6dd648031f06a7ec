@testable import AuthHubCommand
import AuthHubPrimitives
import JOSE
import Testing

struct KeySetReportTests {
    @Test func `lists the type, algorithm, use and thumbprint of each key`() throws {
        let keys = try [SignatureAlgorithm.rs256, .es384, .ed25519].map { try SoftwareSigningKey.generate($0, keyID: "k-\($0)").publicKey }
        let report = try TokenFixture.report(keys.map { .object($0.publicMembers) })
        let rows = report.text(Style(isColored: false), width: nil).split(separator: "\n")
        #expect(rows.count == 4)
        for (row, kind) in zip(rows.dropFirst(), ["RSA 2048 bits", "EC P-384", "OKP Ed25519"]) { #expect(row.contains(kind)) }
        for (row, key) in zip(rows.dropFirst(), keys) { #expect(row.hasSuffix(key.thumbprint)) }
        #expect(report.json["keys"]?.array?.compactMap { $0["bits"]?.number?.int64 } == [2048])
        #expect(report.json["keys"]?.array?.map { $0["crv"] ?? .null } == [.null, "P-384", "Ed25519"])
        #expect(report.warnings.isEmpty)
    }

    @Test func `a key that cannot be used is a warning with the reason, and its ID cannot control the terminal`() throws {
        let server = try TokenFixture()
        let report = try server.keys(and: [["kty": "oops", "kid": "a\u{1B}[2J"], ["kty": "RSA", "n": "AQAB", "e": "AQAB"]])
        #expect(report.keys.keys.count == 1)
        #expect(report.warnings.count == 2)
        #expect(report.warnings[0].hasPrefix("key 2 of the key set, “a\\u001b[2J”, is not used: "))
        #expect(report.warnings[1].hasPrefix("key 3 of the key set, without a kid, is not used: "))
        #expect(report.json["rejected"]?.array?.compactMap { $0["index"]?.number?.int64 } == [1, 2])
        #expect(report.summary.hasSuffix("; 2 rejected"))
    }

    @Test func `an empty key set that is declared as a web page has two warnings`() throws {
        let report = try TokenFixture.report([], contentType: "text/html")
        #expect(report.warnings.count == 2)
        #expect(report.warnings.last == "the key set has no key that can be used")
        #expect(report.summary == "0 keys")
    }
}
