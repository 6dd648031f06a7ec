import AuthHubPrimitives
import Testing

@testable import JOSE

/// Tokens with the header of a token that the same keys have already verified.
struct KnownHeaderTests {
    private static let header = #"{"alg":"ES256","kid":"ES256","typ":"JWT"}"#

    private func verify(
        _ token: String, _ keys: JSONWebKeySet, allowing algorithms: Set<SignatureAlgorithm> = everyAlgorithm
    ) throws(JOSEError) -> VerifiedPayload {
        try JSONWebSignature(Secret(token), for: keys).verified(by: keys, allowing: algorithms)
    }

    private func token(header: String = Self.header, payload: String = "{}", _ algorithm: SignatureAlgorithm = .es256) throws -> String {
        try signedToken(header: header, payload: payload, key: TestKeys.key(algorithm))
    }

    @Test func `the header is not parsed again, and the payload is that of each token`() throws {
        let keys = try TestKeys.publicKeys(.es256, .rs256)
        #expect(keys.knownHeader == nil)
        let first = try verify(token(payload: #"{"sub":"a"}"#), keys)
        let known = try #require(keys.knownHeader)
        let copy = keys
        let second = try verify(token(payload: #"{"sub":"b"}"#), copy)
        #expect(first.header == second.header && second.header.type == "JWT" && second.header.keyID == "ES256")
        #expect(try first.claims["sub"] == "a" && second.claims["sub"] == "b")
        let other = try verify(token(header: #"{"alg":"RS256","kid":"RS256"}"#, .rs256), keys)
        #expect(other.header.algorithm == .rs256 && other.header.type == nil)
        #expect(keys.knownHeader === known)
        #expect(try keys == TestKeys.publicKeys(.es256, .rs256))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: JOSEError.Code
        var algorithms = everyAlgorithm
        let token: @Sendable (_ verified: String) throws -> String
    }

    @Test(arguments: [
        Row(testDescription: "an algorithm that is no longer allowed", code: .notAllowed, algorithms: [.rs256]) { $0 },
        Row(testDescription: "a signature of another key", code: .invalidSignature) { verified in
            let key = try SoftwareSigningKey.generate(.es256)
            return try signedToken(header: header, key: key)
        },
        Row(testDescription: "another payload", code: .invalidSignature) { verified in
            let parts = verified.split(separator: ".")
            return "\(parts[0]).\(Base64URL.encode("[]".utf8)).\(parts[2])"
        },
        Row(testDescription: "the start of the header", code: .malformed) { verified in
            "\(verified.prefix(4)).\(verified.split(separator: ".").dropFirst().joined(separator: "."))"
        },
        Row(testDescription: "a longer header", code: .malformed) { verified in
            let parts = verified.split(separator: ".")
            return "\(parts[0])AAAA.\(parts[1]).\(parts[2])"
        },
        Row(testDescription: "the header in other letters", code: .noKey) { _ in
            try signedToken(header: #"{"alg":"ES256","kid":"es256","typ":"JWT"}"#, key: TestKeys.key(.es256))
        },
        Row(testDescription: "a payload that is not base64url", code: .malformed) { verified in
            let parts = verified.split(separator: ".")
            return "\(parts[0]).!.\(parts[2])"
        },
        Row(testDescription: "no signature", code: .malformed) { verified in
            "\(verified.split(separator: ".").dropLast().joined(separator: "."))."
        },
    ])
    func `is rejected as with an unknown header`(row: Row) throws {
        let keys = try TestKeys.publicKeys(.es256)
        let verified = try token()
        _ = try verify(verified, keys)
        #expect(keys.knownHeader != nil)
        let text = try row.token(verified)
        #expect(error { () throws(JOSEError) in try verify(text, keys, allowing: row.algorithms) }?.code == row.code)
        let unused = try TestKeys.publicKeys(.es256)
        #expect(error { () throws(JOSEError) in try verify(text, unused, allowing: row.algorithms) }?.code == row.code)
        #expect(unused.knownHeader == nil, "the header of a rejected token")
    }

    @Test func `tokens of one issuer are verified at the same time`() async throws {
        let keys = try TestKeys.publicKeys(.es256, .rs256)
        let tokens = [try token(payload: #"{"sub":"a"}"#), try token(header: #"{"alg":"RS256"}"#, payload: #"{"sub":"a"}"#, .rs256)]
        try await withThrowingTaskGroup(of: JSONValue?.self) { group in
            for number in 0..<64 { group.addTask { try verify(tokens[number % 2], keys).claims["sub"] } }
            for try await subject in group { #expect(subject == "a") }
        }
    }
}
