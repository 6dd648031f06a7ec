import AuthHubPrimitives
import JOSE
import Platform
import Testing

@testable import OAuthProtocol

struct ClientKeysTests {
    private static let day = 86_400.0

    private static let symmetric = {
        var members = JSONObject()
        members["kty"] = "oct"
        members["k"] = "AAAAAAAAAAAAAAAAAAAAAA"
        return members
    }()

    private let signing: SoftwareSigningKey
    private let decryption: DecryptionKey
    private let keys: ClientKeys

    init() throws {
        signing = try .generate(.es256)
        decryption = try .generate(.ecdhES)
        keys = ClientKeys(signing: signing, decryption: [decryption])
    }

    private func published(_ keys: ClientKeys, after seconds: Double = 0) -> [String?] {
        keys.publicKeys(at: now.addingTimeInterval(seconds))["keys"]?.array?.map { $0["kid"]?.string } ?? []
    }

    private func decrypting(_ keys: ClientKeys, after seconds: Double) -> [String?] {
        keys.decryptionKeys(at: now.addingTimeInterval(seconds)).map(\.keyID)
    }

    @Test func `RQ10: publishes only public members`() throws {
        let secret = try DecryptionKey(Secret(Self.symmetric))
        let keys = ClientKeys(signing: try .generate(.rs256), decryption: [try .generate(.rsaOAEP256), decryption, secret])
        let set = try #require(keys.publicKeys(at: now)["keys"]?.array)
        #expect(set.count == 3)
        #expect(set.map { $0["use"] } == ["sig", "enc", "enc"])
        let names = Set(set.flatMap { $0.object?.members.map(\.name) ?? [] })
        #expect(names.isDisjoint(with: ["d", "p", "q", "dp", "dq", "qi", "k"]))
    }

    @Test func `a rotation publishes both signing keys, and signs with the new one after the overlap`() throws {
        var rotated = keys
        try rotated.rotate(at: now)
        let new = try #require(rotated.signing.last?.key)
        #expect(new.publicKey.thumbprint != signing.publicKey.thumbprint)
        #expect(new.algorithm == .es256)
        #expect(published(rotated).prefix(2) == [signing.publicKey.keyID, new.publicKey.keyID])
        for (seconds, key) in [(0, signing), (Self.day - 1, signing), (Self.day, new), (30 * Self.day, new)] {
            #expect(rotated.signingKey(at: now.addingTimeInterval(seconds))?.publicKey.keyID == key.publicKey.keyID, "after \(seconds)")
        }
        #expect(published(rotated, after: Self.day + 3599).contains(signing.publicKey.keyID))
        #expect(!published(rotated, after: Self.day + 3600).contains(signing.publicKey.keyID))
    }

    @Test func `a rotation publishes only the new encryption key, and still decrypts with the old one`() throws {
        var rotated = keys
        try rotated.rotate(at: now)
        let new = try #require(rotated.decryption.last?.key)
        #expect(new.privateMembers.reveal()["alg"] == "ECDH-ES")
        #expect(published(rotated).contains(new.keyID) && !published(rotated).contains(decryption.keyID))
        #expect(decrypting(rotated, after: 0) == [decryption.keyID, new.keyID])
        #expect(decrypting(rotated, after: Self.day + 3599) == [decryption.keyID, new.keyID])
        #expect(decrypting(rotated, after: Self.day + 3600) == [new.keyID])
    }

    @Test func `without an overlap, the new key signs at once, and the old one still decrypts messages in transit`() throws {
        var rotated = keys
        try rotated.rotate(at: now, overlap: .zero)
        #expect(rotated.signingKey(at: now)?.publicKey.keyID == rotated.signing.last?.key.publicKey.keyID)
        #expect(rotated.signing.count == 2)
        #expect(decrypting(rotated, after: 3599).count == 2)
        #expect(decrypting(rotated, after: 3600).count == 1)
    }

    @Test func `a second rotation replaces a key that has not signed, and removes expired keys`() throws {
        var rotated = keys
        try rotated.rotate(at: now)
        try rotated.rotate(at: now.addingTimeInterval(60))
        #expect(rotated.signing.count == 2)
        #expect(rotated.signingKey(at: now.addingTimeInterval(Self.day + 59))?.publicKey.keyID == signing.publicKey.keyID)
        #expect(rotated.decryption.count == 3)
        try rotated.rotate(at: now.addingTimeInterval(10 * Self.day))
        #expect(!rotated.signing.contains { $0.key.publicKey.keyID == signing.publicKey.keyID })
        #expect(rotated.decryption.count == 2)
    }

    @Test func `a new key has the type of the old one, and symmetric keys are not replaced`() throws {
        let x25519 = try DecryptionKey.generate(.ecdhESA128KW, on: .x25519)
        var free = try DecryptionKey.generate(.rsaOAEP).privateMembers.reveal()
        free["alg"] = nil
        let secret = try DecryptionKey(Secret(Self.symmetric))
        var rotated = ClientKeys(decryption: [x25519, try DecryptionKey(Secret(free)), secret])
        try rotated.rotate(at: now)
        let new: [JSONObject] = rotated.decryption.dropFirst(3).map { $0.key.privateMembers.reveal() }
        #expect(new.map { $0["kty"] } == ["OKP", "RSA"])
        #expect(new.map { $0["alg"] } == ["ECDH-ES+A128KW", nil])
        #expect(new.first?["crv"] == "X25519")
        #expect(rotated.signingKey(at: now) == nil)
    }

    @Test func `restores the same keys, with their times`() throws {
        var rotated = keys
        try rotated.rotate(at: now)
        let again = try ClientKeys(serialized: rotated.serialized())
        #expect(again == rotated)
        #expect(again.publicKeys(at: now) == rotated.publicKeys(at: now))
        #expect(again != keys)
        for text in ["{}", "[]", #"{"format":2,"signing":[],"decryption":[]}"#, #"{"format":1,"signing":[{}],"decryption":[]}"#] {
            #expect(error { () throws(OAuthError) in try ClientKeys(serialized: Secret(Array(text.utf8))) }?.code == .invalidResponse)
        }
    }

    @Test func `symmetric keys with other bytes are different`() throws {
        var other = Self.symmetric
        other["k"] = "AAAAAAAAAAAAAAAAAAAAAQ"
        let keys = try [Self.symmetric, Self.symmetric, other].map { ClientKeys(decryption: [try DecryptionKey(Secret($0))]) }
        #expect(keys[0] == keys[1] && keys[0] != keys[2])
    }

    @Test func `shows no private keys`() {
        var text = ""
        dump(keys, to: &text)
        #expect(!text.contains(signing.privateMembers.reveal()["d"]?.string ?? ""))
        #expect(!text.contains(decryption.privateMembers.reveal()["d"]?.string ?? ""))
        #expect("\(keys)" == "signing keys: 1, decryption keys: 1")
    }
}
