import AuthHubPrimitives
import Platform
import Testing

@testable import OAuthProtocol

struct PendingAuthorizationSerializationTests {
    @Test(arguments: [["openid", "read"] as Scope, []])
    func `reads back the same sign-in`(scope: Scope) throws {
        let pending = try authorizationRequest(to: openIDServer, scope: scope).pending
        let read = try PendingAuthorization(serialized: pending.serialized())
        #expect(read.isSameSignIn(as: pending))
        #expect(read.state == pending.state)
        #expect(read.nonce == pending.nonce)
        #expect((read.nonce != nil) == scope.contains("openid"))
        #expect(read.verifier.value == pending.verifier.value)
        #expect(read.clientID == pending.clientID)
        #expect(read.redirectURI == pending.redirectURI)
        #expect(read.tokenEndpoint == pending.tokenEndpoint)
        #expect(read.issuer == pending.issuer)
        #expect(read.issuerIsPromised == pending.issuerIsPromised)
        #expect(read.scope == pending.scope)
        #expect(read.expiresAt == pending.expiresAt)
    }

    @Test func `stores the nonce that was sent`() throws {
        let request = try authorizationRequest(to: openIDServer, scope: ["openid"])
        let sent = try #require(try request.query["nonce"])
        #expect(request.pending.nonce == Secret(sent))
    }

    @Test func `checks callbacks as before: each has the same outcome as without serialization`() throws {
        for row in AuthorizationResponseTests.rows {
            let request = try authorizationRequest(to: row.server, redirectURI: row.redirect)
            let callback = Secret(row.filled(with: try #require(try request.query["state"])))
            var kept = request.pending
            var read = try PendingAuthorization(serialized: request.pending.serialized())
            #expect(read.expects(callback) == kept.expects(callback), "\(row.testDescription)")
            let expected = error { () throws(OAuthError) in try kept.accept(callback, at: now) }
            let found = error { () throws(OAuthError) in try read.accept(callback, at: now) }
            #expect(found?.code == expected?.code, "\(row.testDescription)")
            #expect(found?.code == row.expected, "\(row.testDescription)")
        }
    }

    @Test func `stores the expected response and checks it: each callback of an implicit grant has the same outcome`() throws {
        for row in ImplicitGrantTests.rows {
            let request = try authorizationRequest(to: row.server)
            let callback = Secret(row.callback.replacing("STATE", with: try #require(try request.query["state"])))
            let read = try PendingAuthorization(serialized: request.pending.serialized())
            #expect(read.response == request.pending.response, "\(row.testDescription)")
            #expect(read.expects(callback) == request.pending.expects(callback), "\(row.testDescription)")
        }
        let pinned = try authorizationRequest(to: .aniList, redirectURI: AniListProfileTests.pinPage).pending
        #expect(try PendingAuthorization(serialized: pinned.serialized()).acceptsPin)
    }

    @Test func `reads a record without the expected response, as older programs wrote it, as a code in the query`() throws {
        let request = try authorizationRequest()
        let record = try request.pending.serialized()
        #expect(!String(decoding: record.reveal(), as: UTF8.self).contains("response"))
        #expect(try PendingAuthorization(serialized: record).response == .codeInQuery)
    }

    @Test(arguments: [
        #"{"type":"token"}"#, #"{"type":"id_token","mode":"fragment"}"#, "1", "null", #""code""#,
        #"{"type":"token","mode":"fragment","needs_state":true,"is_pinned":false,"granted_scope_separators":" ","default_token_type":"x"}"#,
    ])
    func `a record with only part of the expected response is damaged`(response: String) throws {
        let record = try authorizationRequest(to: implicitServer).pending.serialized()
        var members = try #require(try JSONValue(strict: record.reveal()).object)
        members["response"] = try JSONValue(strict: Array(response.utf8))
        let damaged = JSONValue.object(members).serialized()
        let failure = #expect(throws: OAuthError.self) { try PendingAuthorization(serialized: Secret(damaged)) }
        #expect(failure?.code == .misuse)
    }

    @Test func `stores the deadline to the millisecond, and never later`() throws {
        let odd = Date(timeIntervalSince1970: 1_800_000_000.123_9)
        let request = try AuthorizationRequest(to: plainServer, client: client, redirectURI: redirectURI, scope: [], at: odd)
        let read = try PendingAuthorization(serialized: request.pending.serialized())
        #expect(read.expiresAt <= request.pending.expiresAt)
        #expect(request.pending.expiresAt.timeIntervalSince(read.expiresAt) < 0.001)
    }

    @Test func `does not serialize a sign-in that has its response`() throws {
        let request = try authorizationRequest()
        var pending = request.pending
        _ = try pending.accept(Secret("\(redirectURI)?code=c&state=\(try request.query["state"] ?? "")"), at: now)
        #expect(error { () throws(OAuthError) in try pending.serialized() }?.code == .misuse)
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout JSONObject) -> Void

        static func setting(_ name: String, to value: JSONValue?) -> Damage {
            Damage(testDescription: "\(name) is \(value.map { "\($0)" } ?? "missing")") { $0[name] = value }
        }
    }

    @Test(
        arguments: [
            "format", "state", "code_verifier", "client_id", "redirect_uri", "token_endpoint", "issuer_is_promised", "scope", "expires_at",
        ]
        .flatMap { [Damage.setting($0, to: nil), .setting($0, to: [])] }
            + [
                .setting("format", to: 2), .setting("state", to: ""), .setting("code_verifier", to: "short"), .setting("client_id", to: ""),
                .setting("redirect_uri", to: ""), .setting("issuer", to: 1), .setting("nonce", to: nil as JSONValue? ?? .null),
                .setting("expires_at", to: "soon"),
            ])
    func `AR53: rejects a record that is damaged or from a newer program, and the error shows nothing of it`(row: Damage) throws {
        let pending = try authorizationRequest(to: openIDServer, scope: ["openid"]).pending
        var members = try #require(JSONValue(strict: pending.serialized().reveal()).object)
        row.change(&members)
        let text = Secret(JSONValue.object(members).serialized())
        let failure = try #require(error { () throws(OAuthError) in try PendingAuthorization(serialized: text) })
        #expect(failure.code == .misuse)
        #expect(!"\(failure)".contains(pending.verifier.value.reveal()))
        #expect(!"\(failure)".contains(pending.state.reveal()))
    }

    @Test(arguments: ["", "x", "[]", "null", "{}"])
    func `rejects any other text`(text: String) {
        #expect(error { () throws(OAuthError) in try PendingAuthorization(serialized: Secret(Array(text.utf8))) }?.code == .misuse)
    }
}
