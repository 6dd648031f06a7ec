import AuthHubPrimitives
import Testing

@testable import JOSE

struct SignatureAlgorithmTests {
    @Test(arguments: [
        (SignatureAlgorithm.rs256, 16), (.ps256, 16), (.es256, 16), (.hs256, 16), (.rs384, 24), (.ps384, 24), (.es384, 24), (.hs384, 24),
        (.rs512, 32), (.ps512, 32), (.es512, 32), (.hs512, 32), (.edDSA, 32), (.ed25519, 32),
    ])
    func `ID43: the length of a left-half hash follows from the algorithm`(algorithm: SignatureAlgorithm, length: Int) throws {
        let hash = try #require(algorithm.leftHalfHash(of: Secret("token")))
        #expect(Base64URL.decode(hash)?.count == length)
    }

    @Test(arguments: ["none", "None", "nOnE", "", "HS257", "ES256K", "rs256", "RS256 ", "RSA-OAEP", "EdDsa", "RS1"])
    func `ID05: does not support a name`(name: String) {
        let algorithm = SignatureAlgorithm(rawValue: name)
        #expect(algorithm.properties == nil)
        #expect(algorithm.leftHalfHash(of: Secret("token")) == nil)
        #expect(!Set([algorithm]).allows(algorithm))
    }

    @Test(arguments: everyAlgorithm)
    func `ID06: allows only the algorithms of the set`(algorithm: SignatureAlgorithm) {
        #expect(Set([algorithm]).allows(algorithm))
        #expect(!everyAlgorithm.filter { !$0.isSame(as: algorithm) }.allows(algorithm))
        #expect(!Set<SignatureAlgorithm>().allows(algorithm))
    }

    @Test func `EdDSA and Ed25519 are the same algorithm`() {
        #expect(Set([.edDSA]).allows(.ed25519))
        #expect(Set([.ed25519]).allows(.edDSA))
        #expect(!SignatureAlgorithm.ed25519.isSame(as: .es256))
    }
}
