import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol
import Platform

/// The tokens of one account as they are stored.
struct Credential: Sendable {
    /// The `Authorization` field that requests carry (RFC 6750 §2.1). Created once, because creating one checks its bytes. It is the only
    /// copy of the token, because a server holds many.
    let authorization: Secret<HTTPField>
    let tokenType: TokenType
    /// When the response with the tokens was received, by the local clock.
    let issuedAt: Date
    /// When the server sent that response, by its own clock; nil if the response did not say.
    let sentAt: Date?
    let expiresAt: Date?
    let refreshToken: Secret<String>?
    let refreshTokenExpiresAt: Date?
    /// The refresh tokens to try if the server does not accept ``refreshToken``. After a response that could not be used, only trying shows
    /// which one is valid.
    let otherRefreshTokens: [Secret<String>]
    let scope: Scope
    /// The ID of the sign-in that the tokens come from. It stays the same when they are refreshed. nil in records written by programs that
    /// did not store it.
    let signInID: String?
    /// The only origin that may get the tokens; nil if any of the server's endpoints may (RFC 9700 §4.4).
    let soleOrigin: Origin?
    /// What the server said about the user. It is nil in a session, which reads it from the store when it is needed, so that a server with
    /// many sessions needs less memory.
    private var identity: StoredIdentity?

    /// Creates the credential of a new sign-in.
    ///
    /// - Parameter adopted: The refresh token of another program that the response belongs to. If the response has no refresh token, this
    ///   one stays valid (RFC 6749 §6).
    init(
        _ response: TokenResponse, refreshing adopted: Secret<String>? = nil, idToken: IDToken? = nil, user: Secret<String>? = nil,
        issuedAt: Date, sentAt: Date? = nil
    ) {
        identity = StoredIdentity(idToken: idToken?.text, user: user, person: nil)
        signInID = Base64URL.encode(randomBytes(count: 12))
        soleOrigin = response.soleOrigin
        authorization = Self.authorization(response.accessToken, response.tokenType)
        tokenType = response.tokenType
        self.issuedAt = issuedAt
        self.sentAt = sentAt
        expiresAt = response.expiresAt
        refreshToken = response.refreshToken ?? adopted
        otherRefreshTokens = []
        refreshTokenExpiresAt = response.refreshTokenExpiresAt
        scope = response.scope
    }

    /// Creates the credential after a refresh. If the response has no refresh token, the old one is kept (RFC 6749 §6).
    init(refreshing old: Credential, with response: TokenResponse, idToken: IDToken? = nil, issuedAt: Date, sentAt: Date? = nil) {
        identity = StoredIdentity(idToken: idToken?.text ?? old.idToken, user: old.user, person: old.person)
        authorization = Self.authorization(response.accessToken, response.tokenType)
        tokenType = response.tokenType
        self.issuedAt = issuedAt
        self.sentAt = sentAt
        expiresAt = response.expiresAt
        refreshToken = response.refreshToken ?? old.refreshToken
        otherRefreshTokens = []
        refreshTokenExpiresAt = response.refreshToken == nil ? old.refreshTokenExpiresAt : response.refreshTokenExpiresAt
        scope = response.scope
        signInID = old.signInID
        soleOrigin = old.soleOrigin
    }

    /// Creates the credential after a refresh if only the refresh token of the response can be used. The access token is the old one.
    ///
    /// - Parameter others: The refresh tokens to try next.
    init(
        keeping refreshToken: Secret<String>, others: [Secret<String>] = [], expiringAt expiry: Date? = nil,
        after old: Credential
    ) {
        authorization = old.authorization
        tokenType = old.tokenType
        issuedAt = old.issuedAt
        sentAt = old.sentAt
        expiresAt = old.expiresAt
        self.refreshToken = refreshToken
        otherRefreshTokens = others
        refreshTokenExpiresAt = expiry
        scope = old.scope
        signInID = old.signInID
        soleOrigin = old.soleOrigin
        identity = old.identity
    }

    /// The same credential without what the server said about the user.
    var withoutIdentity: Self {
        var credential = self
        credential.identity = nil
        return credential
    }

    /// The same credential with the next refresh token, if the server does not accept the first one; nil if there is no other.
    var withNextRefreshToken: Self? {
        otherRefreshTokens.first.map { Self(keeping: $0, others: Array(otherRefreshTokens.dropFirst()), after: self) }
    }

    /// The secrets that a server may repeat.
    var secrets: [Secret<String>] { [accessToken, refreshToken].compactMap(\.self) + otherRefreshTokens }

    var idToken: Secret<String>? { identity?.idToken }
    var user: Secret<String>? { identity?.user }
    var person: SignedInUser? {
        get { identity?.person }
        set { identity = StoredIdentity(idToken: idToken, user: user, person: newValue) }
    }

    /// The user whom the tokens belong to, even in records of programs that did not store it.
    var knownUser: SignedInUser? {
        person ?? idToken.flatMap(IDToken.init(stored:)).map { SignedInUser($0) }
    }

    /// nil if the server did not return the token's lifetime.
    var lifetime: TokenLifetime? {
        expiresAt.map { TokenLifetime(receivedAt: issuedAt, sentAt: sentAt, seconds: $0.timeIntervalSince(issuedAt)) }
    }

    func isFresh(at now: Date) -> Bool {
        lifetime?.isFresh(at: now) ?? true
    }

    func isExpired(at now: Date) -> Bool {
        lifetime?.isExpired(at: now) ?? false
    }

    var accessToken: Secret<String> {
        Secret(String(Substring(authorization.reveal().value.utf8.dropFirst(tokenType.rawValue.utf8.count + 1))))
    }

    /// Visible ASCII only: anything else could break out of a header field (RFC 6750 §2.1).
    private static func canBePresented(_ token: String) -> Bool {
        !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func authorization(_ token: Secret<String>, _ type: TokenType) -> Secret<HTTPField> {
        Secret(HTTPField(name: .authorization, value: "\(type.rawValue) \(token.reveal())"))
    }
}

extension Credential {
    private static let format: Int64 = 1
    /// The format of records with an ID token. Programs that would lose it cannot read this format.
    private static let formatWithIDToken: Int64 = 2

    /// The record to store.
    var record: Secret<[UInt8]> {
        var members = JSONObject()
        members["format"] = .number(JSONNumber(idToken == nil ? Self.format : Self.formatWithIDToken))
        members["access_token"] = .string(accessToken.reveal())
        members["token_type"] = .string(tokenType.rawValue)
        members["issued_at"] = .milliseconds(issuedAt)
        members["sent_at"] = sentAt.map(JSONValue.milliseconds)
        members["expires_at"] = expiresAt.map(JSONValue.milliseconds)
        members["refresh_token"] = refreshToken.map { .string($0.reveal()) }
        members["refresh_token_expires_at"] = refreshTokenExpiresAt.map(JSONValue.milliseconds)
        if !otherRefreshTokens.isEmpty { members["other_refresh_tokens"] = .array(otherRefreshTokens.map { .string($0.reveal()) }) }
        members["scope"] = .string(scope.description)
        members["sign_in"] = signInID.map(JSONValue.string)
        members["sole_origin"] = soleOrigin.map { .string($0.description) }
        members["id_token"] = idToken.map { .string($0.reveal()) }
        members["user"] = user.map { .string($0.reveal()) }
        members["signed_in_user"] = person?.record
        return Secret(JSONValue.object(members).serialized())
    }

    /// - Throws: ``SessionError`` with `.storeFailed` if the record is damaged or was written by a newer version of the program.
    init(record: Secret<[UInt8]>) throws(SessionError) {
        guard let members = try? JSONValue(strict: record.reveal()).object, let format = members["format"]?.number?.int64,
            let accessToken = members["access_token"]?.string, Self.canBePresented(accessToken),
            let issuedAt = members["issued_at"]?.date, let soleOrigin = Origin.optional("sole_origin", in: members)
        else { throw SessionError(.storeFailed, "the stored credential is damaged; signing in again replaces it") }
        guard [Self.format, Self.formatWithIDToken].contains(format),
            let tokenType = members["token_type"]?.string.flatMap(TokenType.init(rawValue:))
        else {
            throw SessionError(
                .storeFailed, "a newer version of the program wrote the stored credential; use that version, or sign in again")
        }
        authorization = Self.authorization(Secret(accessToken), tokenType)
        self.tokenType = tokenType
        self.issuedAt = issuedAt
        sentAt = members["sent_at"]?.date
        expiresAt = members["expires_at"]?.date
        refreshToken = (members["refresh_token"]?.string).map(Secret.init)
        otherRefreshTokens = members["other_refresh_tokens"]?.array?.compactMap { $0.string.map(Secret.init) } ?? []
        refreshTokenExpiresAt = members["refresh_token_expires_at"]?.date
        scope = Scope(members["scope"]?.string ?? "")
        signInID = members["sign_in"]?.string
        self.soleOrigin = soleOrigin
        identity = StoredIdentity(
            idToken: format == Self.formatWithIDToken ? members["id_token"]?.string.map(Secret.init) : nil,
            user: members["user"]?.string.map(Secret.init), person: members["signed_in_user"].flatMap(SignedInUser.init(record:)))
    }
}

extension JSONValue {
    fileprivate static func milliseconds(_ date: Date) -> JSONValue {
        .number(JSONNumber(Int64((date.timeIntervalSince1970 * 1000).rounded())))
    }

    fileprivate var date: Date? {
        number?.int64.map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }
}
