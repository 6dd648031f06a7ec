import ArgumentParser
import AuthHubPrimitives
import OAuthProtocol
import Platform
import Testing

@testable import AuthHub
@testable import AuthHubCommand

/// Sentences keep their subject, and lists of facts have no empty lines, whichever value is missing.
struct MissingValueTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let end = now.addingTimeInterval(3600)
    private static let inAnHour = "in 60 min (2027-01-15T09:00:00Z)"
    private static let plain = Style(isColored: false)
    private static let alice = SignedInUser(id: "7", name: "alice", source: .userInfo)

    private static func report(
        expiresAt: Date? = nil, isRenewable: Bool = false, scope: Scope = [], user: SignedInUser? = nil, isSignedIn: Bool = true,
        settings: AccountSettings? = nil
    ) -> AccountReport {
        let facts = SessionState.SignedIn(
            expiresAt: expiresAt, isRenewable: isRenewable, scope: scope, generation: 1, signInID: nil, isRefreshing: false, problem: nil,
            nextAttempt: nil)
        return AccountReport(
            label: "work", settings: settings, signedIn: isSignedIn ? facts : nil, identity: nil, user: user, isSignOutUnfinished: false,
            store: "/home/a/.local/share/authhub", login: "authhub login --as work")
    }

    @Test(
        arguments: [
            (
                report(expiresAt: end, isRenewable: true, user: alice),
                ": alice (user ID 7); the token expires \(inAnHour), and is refreshed automatically"
            ),
            (report(isRenewable: true, user: alice), ": alice (user ID 7); the token is refreshed automatically"),
            (report(expiresAt: end, user: alice), ": alice (user ID 7); the token expires \(inAnHour)"),
            (report(user: alice), ": alice (user ID 7)"),
            (report(expiresAt: end, isRenewable: true), "; the token expires \(inAnHour), and is refreshed automatically"),
            (report(isRenewable: true), "; the token is refreshed automatically"),
            (report(), ""), (report(isSignedIn: false), ""),
            (report(user: SignedInUser(id: "7", name: nil, source: .userInfo)), ": user ID 7"),
            (report(user: SignedInUser(id: "7", name: "", source: .userInfo)), ": user ID 7"),
        ] as [(AccountReport, String)])
    func `the message after a sign-in`(report: AccountReport, rest: String) throws {
        let result = CompletedSignIn(request: try LoginCommand.parse([]).request, report: report, next: "")
        #expect(result.congratulation(Self.plain, now: Self.now) == "Signed in as “work”" + rest)
    }

    @Test(
        arguments: [
            (end, "the token expires \(inAnHour)"), (now.addingTimeInterval(-5), "the token expires 5 s ago (2027-01-15T07:59:55Z)"),
            (nil, "the server did not say when the token expires"),
        ] as [(Date?, String)])
    func `the message after a refresh`(end: Date?, text: String) {
        #expect(RefreshCommand.sentence(end, now: Self.now) == text)
    }

    @Test(arguments: [
        report(), report(isSignedIn: false), report(expiresAt: end), report(isRenewable: true), report(scope: ["read"]),
        report(user: alice),
        report(user: SignedInUser(id: "7", name: "", source: .userInfo)),
        report(settings: AccountSettings(provider: .builtIn("spotify"), client: OAuthClient(id: "client-1"))),
        report(
            isSignedIn: false,
            settings: AccountSettings(
                provider: .builtIn("spotify"), name: "My server", client: OAuthClient(id: "client-1"), scope: ["read"])),
    ])
    func `status has a value on each line`(report: AccountReport) {
        let lines = report.text(Self.plain, now: Self.now).split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines { #expect(line.firstMatch(of: /^[A-Za-z ]+  +\S(.*\S)?$/) != nil, "\(line)") }
        let expiry = lines.first { $0.hasPrefix("token expires") }
        #expect(expiry?.contains("the server did not say") == report.signedIn.map { $0.expiresAt == nil })
    }

    @Test(
        arguments: [
            (nil, nil, nil, "7"), ("", "", "", "7"), ("alice", nil, nil, "alice"), ("alice", "Alice", nil, "alice  Alice"),
            (nil, nil, "a@example.com", "7  a@example.com"), ("", "Alice", "a@example.com", "7  Alice, a@example.com"),
        ] as [(String?, String?, String?, String)])
    func `whoami begins with a name or the identifier`(login: String?, name: String?, email: String?, text: String) {
        let person = Person(id: "7", login: login, name: name, email: email)
        #expect(person.text(Self.plain, without: Redaction([])) == text)
    }

    @Test func `accounts list says what is unknown`() {
        let entry = AccountOverview.Entry(
            label: "work", state: .withoutSettings, settings: nil, server: nil, clientID: nil, facts: nil, isRenewable: false)
        let row = AccountTable([entry], now: Self.now).rendered(Self.plain, width: nil)
        #expect(row.contains("work") && row.contains("no settings") && row.contains("unknown"))
        #expect(AccountOverview.failure([]).message == "0 records cannot be read")
    }

    @Test(arguments: [
        #"{}"#, #"{"client_secret":"s"}"#, #"{"client_secret":"s","client_secret_expires_at":1800003600}"#,
        #"{"client_secret":"s","lacks_secret_expiry":true}"#, #"{"metadata":{"client_name":"N"}}"#,
        #"{"metadata":{"redirect_uris":["http://127.0.0.1/callback"]}}"#,
    ])
    func `client show has a value on each line`(members: String) throws {
        var stored = try JSONValue(strict: members.utf8).object ?? JSONObject()
        stored["format"] = 1
        stored["server"] = "https://as.example"
        stored["client_id"] = "c"
        let registration = try ClientRegistration(serialized: Secret(JSONValue.object(stored).serialized()))
        let report = RegistrationReport(RegistrationKey(issuer: "https://as.example"), registration)
        for line in report.text(Self.plain).split(separator: "\n", omittingEmptySubsequences: false) {
            #expect(line.firstMatch(of: /^[A-Za-z ]+  +\S(.*\S)?$/) != nil || line.hasSuffix("  c"), "\(line)")
        }
    }
}
