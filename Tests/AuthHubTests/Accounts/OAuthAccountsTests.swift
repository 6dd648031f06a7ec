import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import OAuthProtocol
import Platform
import Testing

@testable import AuthHub

struct OAuthAccountsTests {
    @Test(arguments: StoreKind.allCases)
    func `lists all accounts, or those of one server or one client, without their tokens`(kind: StoreKind) async throws {
        try await kind.using { store in
            for (index, name) in Neighbours.all.enumerated() { try await store.put("token-\(index)", for: name.account) }
            try await store.put("settings", for: CredentialAccount(server: "authhub:settings", clientID: "authhub", label: "x"))
            let accounts = OAuthAccounts(store: store)
            let all = try await accounts.list()
            #expect(Set(all.accounts.map(\.account)) == Set(Neighbours.all.map(\.account)))
            #expect(all.unreadable.isEmpty)
            #expect(!"\(all)".contains("token-"))
            #expect(
                all.accounts.map { [$0.account.server, $0.account.clientID, $0.label] } == [
                    ["https://one.example", "client", ""], ["https://one.example", "client", "e\u{301}"],
                    ["https://one.example", "client", "home"], ["https://one.example", "client", "work"],
                    ["https://one.example", "client", "\u{e9}"], ["https://one.example", "other", "work"],
                    ["https://two.example", "client", "work"],
                ])
            let facts = try #require(all.accounts.first?.signedIn)
            #expect(facts.expiresAt == start.addingTimeInterval(3600) && facts.isRenewable && facts.scope.isEmpty && facts.problem == nil)
            let there = try await accounts.list(of: Neighbours.profile("https://one.example"), client: OAuthClient(id: "client"))
            #expect(Set(there.accounts.map(\.label)) == ["work", "home", "e\u{301}", "\u{e9}", ""])
            let elsewhere = try await accounts.list(of: Neighbours.profile("https://two.example"))
            #expect(elsewhere.accounts.map(\.account.server) == ["https://two.example"])
            #expect(try await accounts.list(client: OAuthClient(id: "other")).accounts.count == 1)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `does not list pending sign-ins and application settings as accounts, and removes them with their account`(kind: StoreKind)
        async throws
    {
        try await kind.using { store in
            let work = Neighbours.account(label: "work")
            let home = Neighbours.account(label: "home")
            let settings = CredentialAccount(server: "authhub:settings", clientID: "authhub", label: "work")
            for account in [work, home] { try await store.put("token-of-\(account.label)", for: account) }
            for account in [work.signIns, home.signIns, settings] {
                _ = try await store.write(Secret([1, 2, 3]), for: account, replacing: nil)
            }
            let accounts = OAuthAccounts(store: store)
            #expect(try await Set(store.accounts()) == [work, home])
            #expect(try await accounts.list().accounts.map(\.account) == [home, work])
            let report = await accounts.remove(
                "work", of: Neighbours.profile(work.server), client: OAuthClient(id: work.clientID), dependencies: Self.offline)
            #expect(report.isSignedOut)
            #expect(try await store.read(work.signIns) == nil)
            #expect(try await store.read(home.signIns) != nil)
            try await accounts.forget(home)
            #expect(try await store.read(home.signIns) == nil)
            #expect(try await accounts.list().accounts.isEmpty)
            #expect(try await store.read(settings) != nil)
        }
    }

    struct StandingRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var lifetime: Int? = 3600
        var refreshToken: String? = "refresh"
        /// The lifetime of the refresh token in seconds; nil if the server did not send one.
        var refreshLifetime: Double?
        let secondsLater: Double
        let status: OAuthAccount.Status
    }

    @Test(arguments: [
        StandingRow(testDescription: "a valid token", secondsLater: 3599, status: .signedIn),
        StandingRow(testDescription: "expired, with a refresh token", secondsLater: 3600, status: .renewable),
        StandingRow(testDescription: "expired, without a refresh token", refreshToken: nil, secondsLater: 3600, status: .expired),
        StandingRow(
            testDescription: "expired, with a valid refresh token", refreshLifetime: 7200, secondsLater: 7199, status: .renewable),
        StandingRow(
            testDescription: "expired, with an expired refresh token", refreshLifetime: 7200, secondsLater: 7200, status: .expired),
        StandingRow(testDescription: "a valid token, without a refresh token", refreshToken: nil, secondsLater: 3599, status: .signedIn),
        StandingRow(testDescription: "a token without an expiry", lifetime: nil, refreshToken: nil, secondsLater: 1e9, status: .signedIn),
    ])
    func `derives an account's state from its tokens`(row: StandingRow) async throws {
        let store = MemoryCredentialStore()
        let credential = try Credential.making("token", lifetime: row.lifetime, refreshToken: row.refreshToken)
        var record = try #require(try JSONValue(strict: credential.record.reveal()).object)
        record["refresh_token_expires_at"] = row.refreshLifetime.map {
            .number(JSONNumber(Int64(start.addingTimeInterval($0).timeIntervalSince1970 * 1000)))
        }
        _ = try await store.write(Secret(JSONValue.object(record).serialized()), for: Neighbours.account(), replacing: nil)
        let account = try #require(try await OAuthAccounts(store: store).list().accounts.first)
        #expect(account.status(at: start.addingTimeInterval(row.secondsLater)) == row.status)
    }

    @Test(arguments: StoreKind.allCases)
    func `lists a record that is not a credential as unreadable, and can remove it`(kind: StoreKind) async throws {
        try await kind.using { store in
            let damaged = CredentialAccount(server: "https://one.example", clientID: "client", label: "damaged")
            _ = try await store.write(Secret([1, 2, 3]), for: damaged, replacing: nil)
            let newer = CredentialAccount(server: "https://one.example", clientID: "client", label: "newer")
            let record = #"{"format":3,"access_token":"a","token_type":"Bearer","issued_at":0}"#
            _ = try await store.write(Secret(Array(record.utf8)), for: newer, replacing: nil)
            let accounts = OAuthAccounts(store: store)
            for account in try await accounts.list().accounts {
                guard case .unreadable(let error) = account.content else {
                    Issue.record("\(account)")
                    continue
                }
                #expect(error.code == .storeFailed)
                #expect(account.signedIn == nil)
                #expect(account.status(at: start) == .unreadable)
            }
            let report = await accounts.remove(
                "damaged", of: Neighbours.profile("https://one.example"), client: OAuthClient(id: "client"), dependencies: Self.offline)
            #expect(report.isSignedOut)
            try await accounts.forget(newer)
            #expect(try await accounts.list().accounts.isEmpty)
        }
    }

    @Test func `a record that cannot be opened does not hide others, and can be removed separately`() async throws {
        try await StoreKind.encryptedFile.using { store in
            let names = Neighbours.all.prefix(2).map(\.account)
            try await store.put("first", for: names[0])
            let files = try #require(store as? EncryptedFileStore)
            let first = try #require(
                try FileManager.default.subpathsOfDirectory(atPath: files.location).first { $0.hasSuffix(".credential") })
            try await store.put("second", for: names[1])
            try Data("damaged".utf8).write(to: URL(filePath: files.location).appending(path: first))
            let accounts = OAuthAccounts(store: store)
            let listing = try await accounts.list()
            #expect(listing.accounts.map(\.account) == [names[1]])
            #expect(listing.unreadable.map(\.code) == [.storeFailed])
            #expect(try await accounts.removeUnreadable() == 1)
            #expect(try await accounts.list().unreadable.isEmpty)
            #expect(try await store.token(of: names[1]) == "second")
        }
    }

    @Test(arguments: StoreKind.allCases, Neighbours.pairs)
    func `case 17: removing an account leaves accounts that differ in one name`(kind: StoreKind, pair: Neighbours.Pair) async throws {
        try await kind.using { store in
            try await store.put("removed", for: pair.left)
            try await store.put("kept", for: pair.right)
            let server = RotatingServer()
            var dependencies = Dependencies(transport: server) { start }
            dependencies.clock = LoadClock(TestClock())
            let report = await OAuthAccounts(store: store).remove(
                pair.left.label, of: Neighbours.profile(pair.left.server), client: OAuthClient(id: pair.left.clientID),
                dependencies: dependencies)
            #expect(report.isSignedOut)
            guard case .done = report.revocation else {
                Issue.record("\(report)")
                return
            }
            #expect(server.revoked == ["refresh-of-removed", "removed"])
            #expect(try await store.token(of: pair.left) == nil)
            #expect(try await store.token(of: pair.right) == "kept")
        }
    }

    @Test(arguments: StoreKind.allCases, Neighbours.pairs)
    func `case 17: a session never sees the tokens of another account`(kind: StoreKind, pair: Neighbours.Pair) async throws {
        try await kind.using { store in
            try await store.put("left", for: pair.left)
            var configuration = OAuthSession.Configuration(
                server: Neighbours.profile(pair.right.server), client: OAuthClient(id: pair.right.clientID),
                grant: .authorizationCode(ScriptedBrowser(visit: consenting)), store: store, dependencies: Self.offline)
            configuration.prompting = .manual
            let right = OAuthSession(configuration, label: pair.right.label)
            let failure = await #expect(throws: SessionError.self) { try await right.accessToken() }
            #expect(failure?.code == .signInNeeded)
            _ = await right.signOut()
            #expect(try await store.token(of: pair.left) == "left")
        }
    }

    private static let offline = Dependencies(transport: RoutedTransport([(.any, .failure(.cannotConnect))])) { start }
}

/// Accounts that differ from each other in one name.
enum Neighbours {
    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let left: CredentialAccount
        let right: CredentialAccount
    }

    static let all: [(name: String, account: CredentialAccount)] = [
        ("first", account()),
        ("two labels", account(label: "home")),
        ("two servers with the same client id", account(server: "https://two.example")),
        ("two clients", account(clientID: "other")),
        ("a label that only looks the same: composed", account(label: "\u{e9}")),
        ("a label that only looks the same: decomposed", account(label: "e\u{301}")),
        ("an empty label", account(label: "")),
    ]

    static let pairs: [Pair] =
        all.dropFirst().map { Pair(testDescription: $0.name, left: all[0].account, right: $0.account) }
        + [
            Pair(testDescription: "labels that only look the same", left: account(label: "\u{e9}"), right: account(label: "e\u{301}")),
            Pair(
                testDescription: "names that are equal when concatenated", left: account(clientID: "ab", label: "c"),
                right: account(clientID: "a", label: "bc")),
        ]

    static func account(server: String = "https://one.example", clientID: String = "client", label: String = "work") -> CredentialAccount {
        CredentialAccount(server: server, clientID: clientID, label: label)
    }

    static func profile(_ server: String) -> ProviderProfile {
        ProviderProfile(
            name: "test", displayName: "Test", issuer: server,
            endpoints: Endpoints(authorization: server + "/authorize", token: server + "/token", revocation: server + "/revoke"))
    }
}

extension CredentialStore {
    /// Stores a signed-in account with this access token.
    func put(_ token: String, for account: CredentialAccount) async throws {
        let record = try Credential.making(token, refreshToken: "refresh-of-\(token)").record
        guard case .stored = try await write(record, for: account, replacing: nil) else {
            Issue.record("\(account) is there already")
            return
        }
    }

    func token(of account: CredentialAccount) async throws -> String? {
        try await credential(of: account)?.credential.accessToken.reveal()
    }
}
