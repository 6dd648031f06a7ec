import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

    @Test(arguments: ["mac", "DPoP", "a token of another kind"])
    func `TR47: revokes tokens of an unusable type and ends the sign-in, because its old refresh token is spent`(
        type: String
    ) async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        setting.server.configure {
            $0.oddity = {
                var members = $0
                members["token_type"] = .string(type)
                return ("application/json", String(decoding: JSONValue.object(members).serialized(), as: UTF8.self))
            }
        }
        let failure = await #expect(throws: SessionError.self) { try await session.refresh() }
        #expect(failure?.code == .securityCheckFailed)
        #expect(setting.server.revoked == ["refresh-2", "access-2"])
        #expect(try await setting.store.accounts().isEmpty)
        #expect(session.state == .signedOut(failure.map(SessionState.Problem.init)))
        #expect(!setting.server.familyIsRevoked)
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
