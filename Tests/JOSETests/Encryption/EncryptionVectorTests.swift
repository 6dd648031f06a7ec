import AuthHubPrimitives
import Crypto
import Testing

@testable import JOSE

/// Examples of RFC 7516 and RFC 7518.
struct EncryptionVectorTests {
    @Test func `RFC 7518 appendix C: agrees on a key with ECDH-ES`() throws {
        let alice: JSONValue = [
            "kty": "EC", "crv": "P-256", "x": "gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0",
            "y": "SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps", "d": "0_NxaRPUMQoAJt50Gz8YiTr8gRTwyEaCumd-MToTmIo",
        ]
        let ephemeral = try KeyAgreementPrivateKey(KeyMembers(#require(alice.object)))
        let key = try KeyAgreementPrivateKey(KeyMembers(#require(TestDecryptionKeys.bob.object)))
        let secret = try #require(key.sharedSecret(with: ephemeral.publicKey))
        #expect(secret == ephemeral.sharedSecret(with: key.publicKey))
        let derived = ConcatKDF.key(
            from: secret, algorithm: "A128GCM", partyU: Array("Alice".utf8), partyV: Array("Bob".utf8), length: 16)
        #expect(Base64URL.encode(derived.withUnsafeBytes { Array($0) }) == "VqqN6vgjbSBcIijNcacQGg")
    }

    struct CBCRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let cbc: CBCWithHMAC
        let firstBlock: String
        let tag: String
    }

    @Test(arguments: [
        CBCRow(
            testDescription: "B.1: A128CBC-HS256", cbc: .sha256, firstBlock: "c80edfa32ddf39d5ef00c0b468834279",
            tag: "652c3fa36b0a7c5b3219fab3a30bc1c4"),
        CBCRow(
            testDescription: "B.2: A192CBC-HS384", cbc: .sha384, firstBlock: "ea65da6b59e61edb419be62d19712ae5",
            tag: "8490ac0e58949bfe51875d733f93ac2075168039ccc733d7"),
        CBCRow(
            testDescription: "B.3: A256CBC-HS512", cbc: .sha512, firstBlock: "4affaaadb78c31c5da4b1b590d10ffbd",
            tag: "4dd3b4c088a7f45c216839645b2012bf2e6269a8c56a816dbc1b267761955bc5"),
    ])
    func `RFC 7518 appendix B: encrypts with AES-CBC and HMAC`(row: CBCRow) throws {
        let plaintext = """
            A cipher system must not be required to be secret, and it must be able to fall into the hands of the enemy without inconvenience
            """
        let key = SymmetricKey(data: (0..<UInt8(2 * row.cbc.partLength)).map(\.self))
        let vector: [UInt8] = [0x1A, 0xF3, 0x8C, 0x2D, 0xC2, 0xB9, 0x6F, 0xFD, 0xD8, 0x66, 0x94, 0x09, 0x23, 0x41, 0xBC, 0x04]
        let data = Array("The second principle of Auguste Kerckhoffs".utf8)
        let content = try row.cbc.seal(Array(plaintext.utf8), with: key, authenticating: data, initializationVector: vector)
        #expect(hexadecimal(content.ciphertext.prefix(16)) == row.firstBlock)
        #expect(content.ciphertext.count == 144)
        #expect(hexadecimal(content.tag) == row.tag)
        #expect(row.cbc.open(content, with: key, authenticating: data) == Array(plaintext.utf8))
        #expect(row.cbc.open(content, with: key, authenticating: data + [0]) == nil)
    }

    @Test func `RFC 7516 A.3: decrypts a token with A128KW and A128CBC-HS256`() throws {
        let token = """
            eyJhbGciOiJBMTI4S1ciLCJlbmMiOiJBMTI4Q0JDLUhTMjU2In0.6KB707dM9YTIgHtLvtgWQ8mKwboJW3of9locizkDTHzBC2IlrT1oOQ\
            .AxY8DCtDaGlsbGljb3RoZQ.KDlTtXchhZTGufMYmOYGS4HffxPSUrfmqCHXaI9wOGY.U0m_YmjN04DJvceFICbCVQ
            """
        #expect(try decrypt(Secret(token), [TestDecryptionKeys.symmetric(text: "GawgguFyGrWKav7AX4VKUg")]) == "Live long and prosper.")
    }

    private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
