import AuthHubPrimitives
import CredentialStorage
import HTTPTypes
import JOSE
import OAuthProtocol
import Synchronization
import Testing

@testable import AuthHub

/// A client that registered for encrypted messages, and the key to encrypt them with.
struct Recipient: Sendable {
    var client = OAuthClient(id: "client", secret: Secret("a-secret-of-the-client-0123456789"))
    let encryption: OpenIDRegistration.Encryption
    let key: EncryptionKey

    init(_ algorithm: KeyManagementAlgorithm = .ecdhES, _ content: ContentEncryption = .a128CBCHS256) throws {
        encryption = OpenIDRegistration.Encryption(algorithm, content: content)
        client.authentication = .post
        if let secret = client.secret, let shared = try? DecryptionKey(clientSecret: secret, for: algorithm, with: content) {
            key = try EncryptionKey(shared)
        } else {
            let own = try DecryptionKey.generate(algorithm, keyID: "enc-1")
            client.keys = ClientKeys(decryption: [own])
            key = try EncryptionKey(own)
        }
        client.registered.idTokenEncryption = encryption
    }

    func seal(_ text: Secret<String>, contentType: String? = "JWT") throws -> Secret<String> {
        try JSONWebEncryption.encrypting(
            Secret(Array(text.reveal().utf8)), for: key, encryption.algorithm, encryption.content, contentType: contentType)
    }
}

struct EncryptedMessageTests {
    private let store = MemoryCredentialStore()

    /// Signs in at a provider that encrypts its ID tokens with a function.
    private func signIn(
        as recipient: Recipient, at provider: OpenIDProvider, _ seal: @escaping @Sendable (Secret<String>) throws -> Secret<String>
    ) async -> Result<OAuthSession, SessionError> {
        provider.change { $0.seal = seal }
        let session = provider.session(store, client: recipient.client)
        do throws(SessionError) {
            try await session.signIn()
            return .success(session)
        } catch {
            return .failure(error)
        }
    }

    @Test(arguments: [
        (KeyManagementAlgorithm.ecdhES, ContentEncryption.a128CBCHS256), (.ecdhESA256KW, .a256GCM), (.rsaOAEP256, .a128GCM),
        (.a128KW, .a256CBCHS512), (.a256GCMKW, .a192GCM), (.direct, .a256CBCHS512),
    ])
    func `decrypts an ID token as registered, and stores the signed token`(
        algorithm: KeyManagementAlgorithm, content: ContentEncryption
    ) async throws {
        let provider = try OpenIDProvider()
        let recipient = try Recipient(algorithm, content)
        let session = try await signIn(as: recipient, at: provider) { try recipient.seal($0) }.get()
        let identity = try #require(try await session.identity)
        #expect(identity.subject == "jane")
        #expect(identity.text.reveal().split(separator: ".").count == 3)
        provider.change { $0.nonce = nil }
        try await session.refresh()
        #expect(try await session.identity?.subject == "jane")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let seal: @Sendable (Recipient, Secret<String>) throws -> Secret<String>
        /// A part of the error; nil if the ID token is accepted.
        let problem: String?

        init(
            _ description: String, problem: String?, _ seal: @escaping @Sendable (Recipient, Secret<String>) throws -> Secret<String>
        ) {
            testDescription = description
            self.problem = problem
            self.seal = seal
        }
    }

    /// Replaces the second-to-last character of a part. The last one may have bits that must be zero.
    fileprivate static func corrupted(_ text: Secret<String>, part: Int) -> Secret<String> {
        var parts = text.reveal().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let letter: Character = parts[part].dropLast().last == "A" ? "B" : "A"
        parts[part] = "\(parts[part].dropLast(2))\(letter)\(parts[part].suffix(1))"
        return Secret(parts.joined(separator: "."))
    }

    fileprivate static func withHeader(_ header: String, _ text: Secret<String>) -> Secret<String> {
        let rest = text.reveal().drop { $0 != "." }
        return Secret(Base64URL.encode(Array(header.utf8)) + rest)
    }

    @Test(arguments: [
        Row("ID19: not encrypted", problem: "not encrypted") { _, text in text },
        Row("no cty", problem: nil) { recipient, text in try recipient.seal(text, contentType: nil) },
        Row("the cty of a media type", problem: nil) { recipient, text in try recipient.seal(text, contentType: "application/JWT") },
        Row("another cty", problem: "cty") { recipient, text in try recipient.seal(text, contentType: "json") },
        Row("ID20: RSA1_5", problem: "not supported") { recipient, text in
            EncryptedMessageTests.withHeader(#"{"alg":"RSA1_5","enc":"A128CBC-HS256"}"#, try recipient.seal(text))
        },
        Row("ID20: a compressed plaintext", problem: "zip") { recipient, text in
            EncryptedMessageTests.withHeader(#"{"alg":"ECDH-ES","enc":"A128CBC-HS256","zip":"DEF"}"#, try recipient.seal(text))
        },
        Row("ID20: PBES2", problem: "not supported") { recipient, text in
            EncryptedMessageTests.withHeader(
                #"{"alg":"PBES2-HS256+A128KW","enc":"A128CBC-HS256","p2s":"AAAAAAAAAAA","p2c":1000000000}"#, try recipient.seal(text))
        },
        Row("a different algorithm than the registered one", problem: "registered") { recipient, text in
            try JSONWebEncryption.encrypting(
                Secret(Array(text.reveal().utf8)), for: recipient.key, .ecdhES, .a256GCM, contentType: "JWT")
        },
        Row("claims that are not signed", problem: "three parts") { recipient, text in
            let parts = text.reveal().split(separator: ".")
            return try recipient.seal(Secret(String(decoding: Base64URL.decode(parts[1]) ?? [], as: UTF8.self)))
        },
        Row("encrypted twice", problem: "three parts") { recipient, text in try recipient.seal(recipient.seal(text)) },
        Row("ID13: a changed signature inside", problem: "signature is not valid") { recipient, text in
            try recipient.seal(EncryptedMessageTests.corrupted(text, part: 2))
        },
    ])
    func `checks an ID token that must be encrypted`(row: Row) async throws {
        let provider = try OpenIDProvider()
        let recipient = try Recipient(.ecdhES)
        switch await signIn(as: recipient, at: provider, { try row.seal(recipient, $0) }) {
        case .success: #expect(row.problem == nil)
        case .failure(let error):
            #expect(row.problem.map { error.explanation.contains($0) } ?? false, "\(error)")
            #expect(error.code == .securityCheckFailed)
            #expect(provider.revoked.sorted() == ["access-1", "refresh-1"])
            #expect(provider.count(of: "/keys") == 1, "reading the keys again would not help")
        }
    }

    @Test func `ID01: rejects an encrypted ID token if the client did not register for encryption`() async throws {
        let provider = try OpenIDProvider()
        var recipient = try Recipient(.ecdhES)
        recipient.client.registered = OpenIDRegistration()
        let sealing = recipient
        let error = await signIn(as: recipient, at: provider) { try sealing.seal($0) }.error
        #expect(error?.code == .securityCheckFailed)
        #expect(error?.explanation.contains("did not register") == true)
    }

    @Test(arguments: [KeyManagementAlgorithm.ecdhESA128KW, .rsaOAEP, .a128KW, .a128GCMKW])
    func `ID58: every decryption failure has the same error`(algorithm: KeyManagementAlgorithm) async throws {
        let provider = try OpenIDProvider()
        let recipient = try Recipient(algorithm)
        var errors: [String] = []
        for part in [1, 2, 3, 4] {
            let error = await signIn(as: recipient, at: provider) { Self.corrupted(try recipient.seal($0), part: part) }.error
            errors.append("\(error?.code.description ?? "none"): \(error?.explanation ?? "")")
        }
        let stranger = try Recipient(algorithm)
        if stranger.client.keys != nil {
            let error = await signIn(as: recipient, at: provider) { try stranger.seal($0) }.error
            errors.append("\(error?.code.description ?? "none"): \(error?.explanation ?? "")")
        }
        #expect(Set(errors).count == 1, "\(errors)")
        #expect(errors.first?.contains("cannot be decrypted") == true)
    }

    @Test func `a sign-in without a decryption key fails before the page is shown`() async throws {
        let provider = try OpenIDProvider()
        var recipient = try Recipient(.rsaOAEP256)
        recipient.client.keys = nil
        let error = await signIn(as: recipient, at: provider) { $0 }.error
        #expect(error?.code == .misconfigured)
        #expect(error?.explanation.contains("no key to decrypt") == true)
        #expect(provider.state.withLock(\.nonce) == nil, "no page was shown")
        recipient.client.registered.idTokenEncryption = OpenIDRegistration.Encryption(KeyManagementAlgorithm(rawValue: "RSA1_5"))
        #expect(await signIn(as: recipient, at: provider) { $0 }.error?.code == .misconfigured)
    }

    struct UserInfoRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var mediaType = "application/jwt"
        var isSigned = true
        var isEncrypted = true
        var isSignatureRegistered = false
        var isEncryptionRegistered = true
        /// A part of the error; nil if the response is accepted.
        let problem: String?
    }

    @Test(arguments: [
        UserInfoRow(testDescription: "signed and encrypted", isSignatureRegistered: true, problem: nil),
        UserInfoRow(testDescription: "signed and encrypted, and only encryption is registered", problem: nil),
        UserInfoRow(testDescription: "only encrypted", isSigned: false, problem: nil),
        UserInfoRow(
            testDescription: "UI05: only encrypted, although a signature is registered", isSigned: false, isSignatureRegistered: true,
            problem: "not signed"),
        UserInfoRow(testDescription: "UI13: only signed", isEncrypted: false, problem: "not encrypted"),
        UserInfoRow(
            testDescription: "UI13: JSON", mediaType: "application/json", isSigned: false, isEncrypted: false, problem: "not encrypted"),
        UserInfoRow(testDescription: "UI13: encryption that is not registered", isEncryptionRegistered: false, problem: "did not register"),
    ])
    func `checks an encrypted UserInfo response`(row: UserInfoRow) async throws {
        let provider = try OpenIDProvider()
        var recipient = try Recipient(.ecdhES, .a256GCM)
        recipient.client.registered = OpenIDRegistration()
        if row.isEncryptionRegistered { recipient.client.registered.userInfoEncryption = recipient.encryption }
        if row.isSignatureRegistered { recipient.client.registered.userInfoSignature = .es256 }
        let session = provider.session(store, client: recipient.client)
        try await session.signIn()
        var claims = provider.claims()
        claims["nonce"] = nil
        var text =
            row.isSigned ? try await provider.sign(claims) : Secret(String(decoding: JSONValue.object(claims).serialized(), as: UTF8.self))
        if row.isEncrypted { text = try recipient.seal(text) }
        let body = Array(text.reveal().utf8)
        provider.change { $0.userInfo = (row.mediaType, body) }
        do throws(SessionError) {
            #expect(try await session.userInfo().subject == "jane" && row.problem == nil)
        } catch {
            #expect(error.code == .securityCheckFailed && row.problem.map { error.explanation.contains($0) } ?? false, "\(error)")
        }
    }

    @Test(arguments: [("LO07: encrypted", true, 200), ("LO02: not encrypted, although that is registered", false, 400)])
    func `accepts a logout token only if it is encrypted as registered`(description: String, isEncrypted: Bool, status: Int) async throws {
        let provider = try OpenIDProvider()
        let recipient = try Recipient(.ecdhES)
        let session = try await signIn(as: recipient, at: provider) { try recipient.seal($0) }.get()
        var text = try await provider.sign(provider.logoutClaims(), type: "logout+jwt")
        if isEncrypted { text = try recipient.seal(text) }
        let receiver = LogoutReceiver(
            server: OpenIDProvider.profile, client: recipient.client, store: store, dependencies: provider.dependencies)
        let request = HTTPRequest(
            method: .post, scheme: "https", authority: "client.example", path: "/logout",
            headerFields: [.contentType: "application/x-www-form-urlencoded"])
        let outcome = await receiver.backChannelLogout(request, body: Array("logout_token=\(text.reveal())".utf8))
        #expect(outcome.response.status.code == status)
        #expect((try await session.identity == nil) == isEncrypted)
    }

    @Test(
        arguments: [
            ("the registered algorithm", SignatureAlgorithm.es256, nil, nil), ("ID06: another one", .es384, nil, "algorithm"),
            ("ID06: one that needs the client secret", .hs256, nil, "algorithm"),
            ("the registered maximum age, and no auth_time", .es256, 60, "auth_time"),
        ] as [(String, SignatureAlgorithm, Int?, String?)])
    func `checks an ID token against the registration`(
        description: String, algorithm: SignatureAlgorithm, maximumAge: Int?, problem: String?
    ) async throws {
        let provider = try OpenIDProvider()
        var client = OAuthClient(id: "client", secret: Secret("a-secret-of-the-client-0123456789"), authentication: .post)
        client.registered.idTokenSignature = algorithm
        client.registered.defaultMaximumAge = maximumAge
        do throws(SessionError) {
            try await provider.session(store, client: client).signIn()
            #expect(problem == nil)
        } catch {
            #expect(problem.map { error.explanation.contains($0) } ?? false, "\(error)")
        }
    }

    @Test func `ID39: requires auth_time if the client registered require_auth_time`() async throws {
        let provider = try OpenIDProvider()
        var client = OAuthClient(id: "client")
        client.registered.requiresAuthenticationTime = true
        let error = await #expect(throws: SessionError.self) { try await provider.session(store, client: client).signIn() }
        #expect(error?.explanation.contains("auth_time") == true)
        provider.change { $0.changes = [("auth_time", 1_000)] }
        try await provider.session(store, client: client).signIn()
    }
}
