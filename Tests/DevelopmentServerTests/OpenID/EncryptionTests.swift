import AuthHubPrimitives
import Crypto
import CryptoExtras
import JOSE
import NIOHTTP1
import Testing

@testable import DevelopmentServer

/// The server has its own code to encrypt tokens. The tests decrypt them with swift-crypto and with the client's code.
struct EncryptionTests {
    private static let secret = Secret("development-secret-of-the-web-app")

    /// The keys of a client, one for each algorithm and curve.
    private static let keys: [String: DecryptionKey] = {
        var keys: [String: DecryptionKey] = [:]
        for algorithm in KeyManagement.allCases where !algorithm.isSymmetric {
            keys[algorithm.rawValue] = try? DecryptionKey.generate(KeyManagementAlgorithm(rawValue: algorithm.rawValue))
        }
        for curve in [Curve.p384, .p521, .x25519] {
            keys[curve.rawValue] = try? DecryptionKey.generate(.ecdhES, on: curve)
        }
        return keys
    }()

    struct Row: Sendable, CustomTestStringConvertible {
        let algorithm: KeyManagement
        let cipher: ContentCipher
        /// The name of the client's key; nil for the algorithm's.
        var key: String?

        var testDescription: String { "\(algorithm.rawValue), \(cipher.rawValue)\(key.map { ", \($0)" } ?? "")" }

        var encryption: TokenEncryption { TokenEncryption(algorithm, cipher) }

        /// Returns the key that the client decrypts with.
        func decryptionKey() throws -> DecryptionKey {
            guard algorithm.isSymmetric else { return try #require(keys[key ?? algorithm.rawValue]) }
            return try DecryptionKey(
                clientSecret: secret, for: KeyManagementAlgorithm(rawValue: algorithm.rawValue),
                with: ContentEncryption(rawValue: cipher.rawValue))
        }

        func decrypted(_ text: String?) throws -> String {
            let token = try JSONWebEncryption(Secret(text ?? ""))
            let policy = DecryptionPolicy(
                keyManagement: [KeyManagementAlgorithm(rawValue: algorithm.rawValue)],
                contentEncryption: [ContentEncryption(rawValue: cipher.rawValue)])
            return String(decoding: try token.decrypted(by: [decryptionKey()], allowing: policy).reveal(), as: UTF8.self)
        }

        /// Returns a client that has registered the key.
        func client() throws -> DevelopmentClient {
            var client = DevelopmentClient(
                id: "web-app", secret: secret, name: "Web App", redirectURIs: DevelopmentClient.exampleRedirectURIs)
            client.publicKeys = [try decryptionKey().publicKey?.publicMembers].compactMap(\.self)
            return client
        }
    }

    private static let rows =
        KeyManagement.allCases.flatMap { algorithm in ContentCipher.allCases.map { Row(algorithm: algorithm, cipher: $0) } }
        + ["P-384", "P-521", "X25519"].map { Row(algorithm: .ecdhES, cipher: .a256CBC, key: $0) }

    @Test(arguments: rows) func `the client's code decrypts what the server encrypts`(row: Row) throws {
        let client = try row.client()
        let encrypter = TokenEncrypter(encryption: row.encryption, keys: client.publicKeys, secret: client.secret)
        for content in ["", "content", String(repeating: "x", count: 1000)] {
            let text = try #require(encrypter.token(Array(content.utf8), isToken: true))
            #expect(try row.decrypted(text) == content)
            #expect(try JSONWebEncryption(Secret(text)).header.contentType == "JWT")
        }
    }

    @Test func `swift-crypto decrypts with the formulas of RFC 7518`() throws {
        let direct = TokenEncrypter(encryption: TokenEncryption(.direct, .a128CBC), keys: [], secret: Self.secret)
        let token = try #require(direct.token(Array("content".utf8), isToken: false))
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.map { Base64URL.decode($0) ?? [] }
        let key = Array(SHA256.hash(data: Array(Self.secret.reveal().utf8)))
        #expect(bytes[1].isEmpty)
        #expect(String(decoding: bytes[0], as: UTF8.self) == #"{"alg":"dir","enc":"A128CBC-HS256"}"#)
        let bits = parts[0].utf8.count * 8
        let length: [UInt8] = [0, 0, 0, 0, 0, 0, UInt8(bits / 256), UInt8(bits % 256)]
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(parts[0].utf8) + bytes[2] + bytes[3] + length, using: SymmetricKey(data: key.prefix(16)))
        #expect(Array(code.prefix(16)) == bytes[4])
        let content = try AES._CBC.decrypt(bytes[3], using: SymmetricKey(data: key.suffix(16)), iv: AES._CBC.IV(ivBytes: bytes[2]))
        #expect(Array(content) == Array("content".utf8))
    }

    @Test(arguments: [
        Row(algorithm: .rsaOAEP, cipher: .a256GCM), Row(algorithm: .ecdhES, cipher: .a128CBC), Row(algorithm: .a128KW, cipher: .a192CBC),
        Row(algorithm: .a128GCMKW, cipher: .a128GCM), Row(algorithm: .direct, cipher: .a256CBC),
    ])
    func `ID tokens and userinfo are encrypted as the client registered, from every endpoint`(row: Row) async throws {
        var client = try row.client()
        client.idTokenEncryption = row.encryption
        client.userInfoEncryption = row.encryption
        let registered = client
        try await Flow.run(.init(persona: .openID, clients: [client])) { flow in
            let path = flow.authorizationPath(changing: ["response_type": "code id_token", "nonce": "n"])
            let response = try await flow.person().visit(path).redirectParameters
            let answer = try await flow.exchange(response["code"] ?? "", client: registered)
            let second = try await flow.refresh(Tokens(answer).refresh, client: registered)
            for text in [response["id_token"], answer.json["id_token"]?.string, second.json["id_token"]?.string] {
                let token = try #require(SignedToken(try row.decrypted(text)))
                #expect(token.claims["sub"] == "583231" && token.claims["aud"] == "web-app")
                let keys = flow.server.state.keySet
                #expect(token.isSigned(byKeyIn: keys))
            }
            let userInfo = try await flow.client.get(flow.server.issuer + "/userinfo", headers: .bearer(Tokens(second).access))
            #expect(userInfo.header("Content-Type") == "application/jwt")
            let claims = try JSONValue(strict: Array(try row.decrypted(userInfo.text).utf8))
            #expect(claims["sub"] == "583231" && claims["email"] == "octocat@example.com")
        }
    }

    @Test func `userinfo is signed before it is encrypted, and faults change the content of encrypted tokens`() async throws {
        let row = Row(algorithm: .ecdhES128, cipher: .a128GCM)
        var client = try row.client()
        client.idTokenEncryption = row.encryption
        client.userInfoEncryption = row.encryption
        client.userInfoAlgorithm = .rs256
        let registered = client
        try await Flow.run(.init(persona: .openID, clients: [client])) { flow in
            flow.server.faults.always(at: .tokenEndpoint, .altered([.claimSuffix("iss", "1")]))
            let answer = try await flow.exchange(try await flow.code(client: registered), client: registered)
            let token = try #require(SignedToken(try row.decrypted(answer.json["id_token"]?.string)))
            #expect(token.claims["iss"]?.string == flow.server.issuer + "1")
            let userInfo = try await flow.client.get(flow.server.issuer + "/userinfo", headers: .bearer(Tokens(answer).access))
            #expect(SignedToken(try row.decrypted(userInfo.text))?.header["alg"] == "RS256")
            flow.server.faults.play(try #require(FaultPersona.openID.first { $0.preparations == [.plainTokens] }))
            flow.server.faults.next(at: .tokenEndpoint, .altered([]))
            let plain = try await flow.exchange(try await flow.code(client: registered), client: registered)
            #expect(SignedToken(plain.json["id_token"]?.string) != nil)
        }
    }

    /// What a client finds in an ID token with each fault.
    private static let outcomes = [
        "ID58-key": "cannot be decrypted", "ID58-vector": "cannot be decrypted", "ID58-content": "cannot be decrypted",
        "ID58-tag": "cannot be decrypted", "ID58-short-tag": "cannot be decrypted", "ID13-unsigned": "claims",
        "ID20-cipher": "A192GCM", "ID13-encrypted": "not signed", "ID24-encrypted": "for other-client",
    ]

    @Test(arguments: FaultPersona.encryption, [false, true])
    func `each fault alters encrypted ID tokens as its description says`(persona: FaultPersona, isInCallback: Bool) async throws {
        let row = Row(algorithm: .a128KW, cipher: .a128CBC)
        var client = try row.client()
        client.idTokenEncryption = row.encryption
        let registered = client
        try await Flow.run(.init(persona: .openID, clients: [client])) { flow in
            flow.server.faults.play(isInCallback ? persona.inCallback : persona)
            let text: String?
            if isInCallback {
                let path = flow.authorizationPath(
                    changing: ["response_type": "code id_token", "response_mode": "form_post", "nonce": "n"])
                text = try await flow.callback(path, mode: "form_post")["id_token"]
            } else {
                text = try await flow.exchange(try await flow.code(client: registered), client: registered).json["id_token"]?.string
            }
            let keys = flow.server.state.keySet
            #expect(Self.outcome(of: text, row, keys) == Self.outcomes[persona.id])
        }
    }

    private static func outcome(of text: String?, _ row: Row, _ keys: JSONValue) -> String {
        if let token = try? JSONWebEncryption(Secret(text ?? "")), token.header.encryption.rawValue != row.cipher.rawValue {
            return token.header.encryption.rawValue
        }
        guard let content = try? row.decrypted(text) else { return "cannot be decrypted" }
        guard let token = SignedToken(content) else {
            return (try? JSONValue(strict: Array(content.utf8)))?["sub"] == nil ? "nothing" : "claims"
        }
        return token.isSigned(byKeyIn: keys) ? "for \(token.claims["aud"]?.string ?? "")" : "not signed"
    }

    struct Registration: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let members: String
        let status: Int
    }

    private static let key =
        #""jwks": {"keys": [{"kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "#
        + #""y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}"#

    @Test(arguments: [
        Registration(testDescription: "a public key", members: #""id_token_encrypted_response_alg": "ECDH-ES", \#(key)"#, status: 201),
        Registration(testDescription: "the client secret", members: #""userinfo_encrypted_response_alg": "A128KW""#, status: 201),
        Registration(testDescription: "no key", members: #""id_token_encrypted_response_alg": "ECDH-ES""#, status: 400),
        Registration(
            testDescription: "a key of another type", members: #""id_token_encrypted_response_alg": "RSA-OAEP", \#(key)"#, status: 400),
        Registration(
            testDescription: "no secret", members: #""id_token_encrypted_response_alg": "dir", "token_endpoint_auth_method": "none""#,
            status: 400),
        Registration(testDescription: "only an enc", members: #""id_token_encrypted_response_enc": "A128GCM", \#(key)"#, status: 400),
        Registration(testDescription: "RSA1_5", members: #""id_token_encrypted_response_alg": "RSA1_5", \#(key)"#, status: 400),
        Registration(
            testDescription: "a private key",
            members: #""id_token_encrypted_response_alg": "ECDH-ES", \#(key.replacing("{\"kty\"", with: "{\"d\": \"AA\", \"kty\""))"#,
            status: 400),
    ])
    func `a registration for encryption needs a key`(row: Registration) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let answer = try await flow.client.send(
                .POST, flow.server.issuer + "/register", headers: ["Content-Type": "application/json"],
                body: #"{"redirect_uris": ["https://client.example/"], \#(row.members)}"#)
            #expect(answer.status == row.status)
        }
    }
}
