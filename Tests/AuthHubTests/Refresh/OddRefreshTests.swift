import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Platform
import Testing

/// Unusual responses to a refresh. The server has already invalidated the old refresh token, so the new one must not be lost.
struct OddRefreshTests {
    typealias Oddity = @Sendable (JSONObject) -> (mediaType: String, body: String)

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let oddity: Oddity
        /// The expected error; nil if the access token in the response can be used despite the fault.
        let failure: SessionError.Code?

        init(
            _ description: String, failure: SessionError.Code? = nil, as mediaType: String = "application/json",
            _ text: @escaping @Sendable (String) -> String
        ) {
            testDescription = description
            self.failure = failure
            oddity = { (mediaType, text(String(decoding: JSONValue.object($0).serialized(), as: UTF8.self))) }
        }

        init(_ description: String, failure: SessionError.Code? = nil, _ name: String, _ value: JSONValue?) {
            testDescription = description
            self.failure = failure
            oddity = {
                var members = $0
                members[name] = value
                return ("application/json", String(decoding: JSONValue.object(members).serialized(), as: UTF8.self))
            }
        }
    }

    @Test(arguments: [
        Row("TR12 a lifetime below 0", "expires_in", -1),
        Row("TR13 a lifetime of 0", "expires_in", 0),
        Row("TR12 true for the lifetime", "expires_in", true),
        Row("TR12 a lifetime in words", "expires_in", "soon"),
        Row("TR12 a lifetime too large to represent", "expires_in", .number(JSONNumber(9_000_000_000_000_000_000))),
        Row("TR12 a lifetime of the refresh token below 0", "refresh_token_expires_in", -1),
        Row("TR16 null for the scope", "scope", .null),
        Row("TR17 an empty list for the scope", "scope", []),
        Row("TR17 a number for the scope", "scope", 7),
        Row("TR06 no token type", "token_type", nil),
        Row("TR06 null for the token type", "token_type", .null),
        Row("TR06 an empty token type", "token_type", ""),
        Row("TR20 a byte order mark") { "\u{FEFF}" + $0 },
        Row("TR24 JSON declared as a web page", as: "text/html") { $0 },
        Row("TR24 JSON that declares another charset", as: "application/json; charset=utf-16") { $0 },
        Row("TR45 an empty error", "error", ""),
        Row("TR45 false for the error", "error", false),
        Row("TR46 an error next to the tokens", failure: .serverRejected, "error", "invalid_scope"),
        Row("TR46 invalid_grant next to the tokens", failure: .serverRejected, "error", "invalid_grant"),
        Row("TR46 no access token", failure: .serverMisbehaved, "access_token", nil),
        Row("TR46 an access token with a line feed", failure: .serverMisbehaved, "access_token", "a\nb"),
        Row("TR46 a number for the access token", failure: .serverMisbehaved, "access_token", 7),
        Row("TR46 bytes after the object", failure: .serverMisbehaved) { $0 + "<!-- 12 ms -->" },
        Row("TR46 a duplicate member", failure: .serverMisbehaved) { "{\"token_type\":\"Bearer\"," + $0.dropFirst() },
        Row("TR46 a duplicate refresh token", failure: .serverMisbehaved) { "{\"refresh_token\":\"other\"," + $0.dropFirst() },
        Row("TR47 an unknown token type", failure: .serverMisbehaved, "token_type", "mac"),
        Row("TR47 a bound token that was not requested", failure: .serverMisbehaved, "token_type", "DPoP"),
        Row("TR47 a token type that may be a token", failure: .serverMisbehaved, "token_type", "a token of another kind"),
        Row("TR47 a number for the token type", failure: .serverMisbehaved, "token_type", 7),
        Row("TR46 a missing bracket", failure: .serverMisbehaved) { String($0.dropLast()) },
    ])
    func `case 38: stores the refresh token of an odd response before reporting anything, whatever is odd about it`(row: Row) async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        setting.advance(by: 3600)
        setting.server.configure { $0.oddity = row.oddity }
        if let code = row.failure {
            let failure = await #expect(throws: SessionError.self) { try await session.refresh() }
            #expect(failure?.code == code)
            guard case .signedIn(let state) = session.state else { Issue.record("\(session.state)"); return }
            #expect(state.problem?.code == code)
        } else {
            try await session.refresh()
            #expect(try await session.accessToken().value.reveal() == "access-2")
        }
        // Another program continues with the stored record.
        setting.server.configure { $0.oddity = nil }
        let other = setting.session(.manual)
        try await other.refresh()
        #expect(try await other.load(LoadRequest(.get, "https://api.example/things")).status == .ok)
        #expect(!setting.server.familyIsRevoked && setting.server.revoked.isEmpty)
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token", "refresh_token"])
        try await session.refresh()
        #expect(!setting.server.familyIsRevoked)
    }

    @Test(arguments: [
        ("application/json", #"{"error":"rate_limited","grant_type":"refresh_token","refresh_token":"refr***"}"#),
        ("application/json", #"{"message":"hello","refresh_token":"x"}"#),
        ("text/html", #"<pre>{"refresh_token":"refr***"}</pre>"#),
        ("text/html", #"<script>var x={"access_token":"a","refresh_token":"evil","token_type":"Bearer"}</script>"#),
        ("text/plain", "access_token=a&refresh_token=evil&token_type=Bearer"),
    ])
    func `TR46: a response without tokens does not replace the refresh token with one that it repeats`(
        mediaType: String, body: String
    ) async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        setting.server.configure {
            $0.atToken = { _ throws(LoadError) in
                LoadResponse(HTTPResponse(status: .ok, headerFields: [.contentType: mediaType]), body: .bytes(Array(body.utf8)))
            }
        }
        await #expect(throws: SessionError.self) { try await session.refresh() }
        setting.server.configure { $0.atToken = nil }
        try await setting.session(.manual).refresh()
        #expect(setting.server.tokenRequests.last == "refresh_token" && !setting.server.familyIsRevoked)
    }

    /// Responses of a refresh that cannot be used, from servers that replace the refresh token and from others.
    struct Trial: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var replaces = true
        let body: @Sendable (_ refreshToken: String) -> String
        /// The number of token requests of the next refresh.
        let attempts: Int
    }

    @Test(arguments: [
        Trial(
            testDescription: "the last of two refresh tokens is right",
            body: { #"{"access_token":"a","token_type":"Bearer","refresh_token":"x","refresh_token":"\#($0)"}"# }, attempts: 1),
        Trial(
            testDescription: "the first of two refresh tokens is right",
            body: { #"{"refresh_token":"\#($0)","access_token":"a","token_type":"Bearer","refresh_token":"x"}"# }, attempts: 2),
        Trial(
            testDescription: "neither of two is right, and the server keeps the old one", replaces: false,
            body: { _ in #"{"refresh_token":"x","access_token":"a","token_type":"Bearer","refresh_token":"y"}"# }, attempts: 3),
        Trial(
            testDescription: "an unknown type, and the new refresh token is right",
            body: { #"{"access_token":"a","token_type":"mac","refresh_token":"\#($0)"}"# }, attempts: 1),
        Trial(
            testDescription: "an unknown type, and the server keeps the old refresh token", replaces: false,
            body: { _ in #"{"access_token":"a","token_type":"N_A","refresh_token":"***"}"# }, attempts: 2),
    ])
    func `TR46, TR47: the next refresh tries the new refresh tokens, and then the old one`(row: Trial) async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        setting.server.configure {
            $0.sendsRefreshToken = row.replaces
            $0.oddity = { ("application/json", row.body($0["refresh_token"]?.string ?? "")) }
        }
        let failure = await #expect(throws: SessionError.self) { try await session.refresh() }
        #expect(failure?.code == .serverMisbehaved)
        #expect(try await session.accessToken().value == Secret("access-1"))
        setting.server.configure {
            $0.sendsRefreshToken = true
            $0.oddity = nil
        }
        let before = setting.server.tokenRequests.count
        try await setting.session(.manual).refresh()
        #expect(setting.server.tokenRequests.count - before == row.attempts)
        try await setting.session(.manual).refresh()
        #expect(setting.server.tokenRequests.count - before == row.attempts + 1)
        #expect(!setting.server.familyIsRevoked && setting.server.revoked.isEmpty)
    }

    @Test func `TR46: signing out revokes every refresh token that may be valid`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        setting.server.configure {
            $0.oddity = { _ in ("application/json", #"{"access_token":"a","token_type":"mac","refresh_token":"x"}"#) }
        }
        await #expect(throws: SessionError.self) { try await session.refresh() }
        await session.signOut()
        #expect(Set(setting.server.revoked) == ["refresh-1", "x", "access-1"])
    }

    @Test func `TR46: a sign-in has ended if the server accepts none of the refresh tokens`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        setting.server.configure {
            $0.oddity = { _ in ("application/json", #"{"access_token":"a","token_type":"mac","refresh_token":"x"}"#) }
        }
        await #expect(throws: SessionError.self) { try await session.refresh() }
        let failure = await #expect(throws: SessionError.self) { try await session.refresh() }
        #expect(failure?.code == .signInNeeded)
        #expect(try await setting.store.accounts().isEmpty)
    }

    @Test func `TR47: an unusable token type has no effect if the server keeps the old refresh token`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        setting.server.configure {
            $0.sendsRefreshToken = false
            $0.oddity = { _ in ("application/json", #"{"access_token":"a","token_type":"mac"}"#) }
        }
        await #expect(throws: SessionError.self) { try await session.refresh() }
        #expect(setting.server.revoked.isEmpty)
        setting.server.configure { $0.oddity = nil }
        try await session.refresh()
    }

    @Test func `case 38: keeps a refresh token in memory if the store does not accept it, and stores it before sending anything`()
        async throws
    {
        let store = HookedStore()
        let setting = SessionSetting(store: store)
        let session = try await setting.signedIn(.manual)
        setting.advance(by: 3600)
        setting.server.configure {
            $0.oddity = { ("text/plain", String(decoding: JSONValue.object($0).serialized(), as: UTF8.self) + "x") }
        }
        store.configure {
            $0.beforeWrite = { () async throws(CredentialStoreError) in throw CredentialStoreError(.failed, "the disk is full") }
        }
        let failure = await #expect(throws: SessionError.self) { try await session.refresh() }
        #expect(failure?.code == .storeFailed)
        store.configure { $0.beforeWrite = nil }
        setting.server.configure { $0.oddity = nil }
        try await session.refresh()
        #expect(!setting.server.familyIsRevoked)
        #expect(try await session.accessToken().value.reveal() == "access-3")
    }

    @Test func `case 39: a refresh that lost its lease does not revoke its tokens in favour of another refresh of the same sign-in`()
        async throws
    {
        let store = HookedStore()
        let setting = SessionSetting(store: store)
        let session = try await setting.signedIn(.manual)
        let gate = Gate()
        // The server accepts a used refresh token again for a while, as many servers do.
        setting.server.configure {
            $0.afterToken = { () async throws(LoadError) in await gate.pass() }
            $0.sendsRefreshToken = false
        }
        setting.advance(by: 3600)
        let sleeping = Task { try await session.refresh() }
        await gate.untilReached()
        let account = session.account
        let stored = try #require(try await store.read(account))
        // Simulate another process that has refreshed the tokens of the same sign-in.
        let members = try #require(try JSONValue(strict: stored.payload.reveal()).object)
        var renewed = members
        renewed["access_token"] = "access-of-another"
        renewed["issued_at"] = .number(JSONNumber(Int64(start.addingTimeInterval(3600).timeIntervalSince1970 * 1000)))
        renewed["expires_at"] = .number(JSONNumber(Int64(start.addingTimeInterval(7200).timeIntervalSince1970 * 1000)))
        _ = try await store.write(Secret(JSONValue.object(renewed).serialized()), for: account, replacing: stored.version)
        gate.open()
        try await sleeping.value
        #expect(try await session.accessToken().value.reveal() == "access-of-another")
        #expect(setting.server.revoked.isEmpty)
    }

    @Test(arguments: [
        ("an error next to the tokens", #"{"error":"x","access_token":"a-9","token_type":"Bearer","refresh_token":"r-9"}"#),
        ("an unknown type", #"{"access_token":"a-9","token_type":"mac","refresh_token":"r-9"}"#),
        ("bytes after the object", #"{"access_token":"a-9","token_type":"Bearer","refresh_token":"r-9"}}"#),
    ])
    func `TR47: revokes the tokens issued to a failed sign-in`(description: String, body: String) async throws {
        let setting = SessionSetting()
        setting.server.configure {
            $0.atToken = { _ throws(LoadError) in
                LoadResponse(HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), body: .bytes(Array(body.utf8)))
            }
        }
        await #expect(throws: SessionError.self) { try await setting.session().signIn() }
        #expect(setting.server.revoked == ["r-9", "a-9"])
        #expect(try await setting.store.accounts().isEmpty)
    }
}
