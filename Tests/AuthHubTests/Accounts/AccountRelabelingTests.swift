import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import OAuthProtocol
import Platform
import Testing

@testable import AuthHub

struct AccountRelabelingTests {
    private static let settings = AccountBookTests.settings

    private func account(_ label: String) throws -> CredentialAccount { try Self.settings.account(label: label) }

    @Test(arguments: [true, false])
    func `the settings move with the tokens, and without tokens the settings alone`(isSignedIn: Bool) async throws {
        let store = MemoryCredentialStore()
        let book = AccountBook(store: store)
        try await book.save(Self.settings, as: "old")
        if isSignedIn { try await store.put("token", for: account("old")) }
        try await book.relabel("old", as: "new")
        #expect(try await book.list().labels == ["new"])
        #expect(try await book.settings(of: "new") == Self.settings)
        #expect(try await store.token(of: account("new")) == (isSignedIn ? "token" : nil))
        #expect(try await store.read(account("old")) == nil)
    }

    /// Each operation that the store rejects stands for a moment at which the process is killed.
    @Test(arguments: 0..<7)
    func `settings lead to the tokens at any interruption, and relabelling again finishes`(steps: Int) async throws {
        let store = InterruptedStore()
        let book = AccountBook(store: store)
        try await book.save(Self.settings, as: "old")
        try await store.memory.put("token", for: account("old"))
        store.stop(after: steps)
        _ = try? await book.relabel("old", as: "new")
        store.goOn()
        for label in ["old", "new"] where try await store.token(of: account(label)) != nil {
            #expect(try await book.settings(of: label) == Self.settings)
        }
        do throws(SessionError) {
            try await book.relabel("old", as: "new")
        } catch {
            #expect(error.accountProblem == .unknown, "nothing was left to do")
        }
        #expect(try await book.list().labels == ["new"])
        #expect(try await store.token(of: account("new")) == "token")
        #expect(try await store.read(account("old")) == nil)
    }

    @Test(arguments: ["old", "new"])
    func `finishes a change after one of the two copies of the tokens was refreshed`(refreshed: String) async throws {
        let store = MemoryCredentialStore()
        let book = AccountBook(store: store)
        for label in ["old", "new"] { try await book.save(Self.settings, as: label) }
        let credential = try Credential.making("token", refreshToken: "refresh")
        for label in ["old", "new"] { _ = try await store.overwrite(account(label), with: credential.record) }
        let later = credential.issuedAt.addingTimeInterval(60)
        let response = try TokenResponse.making("newer", lifetime: 3600, refreshToken: "newer-refresh", issuedAt: later)
        _ = try await store.overwrite(
            account(refreshed), with: Credential(refreshing: credential, with: response, issuedAt: later).record)
        try await book.relabel("old", as: "new")
        #expect(try await book.list().labels == ["new"])
        #expect(try await store.token(of: account("new")) == "newer")
        #expect(try await store.read(account("old")) == nil)
    }

    @Test func `a sign-out that was interrupted before it deleted the tokens does not revoke them under the new label`() async throws {
        let store = MemoryCredentialStore()
        let book = AccountBook(store: store)
        try await book.save(Self.settings, as: "old")
        try await store.put("token", for: account("old"))
        try await UnfinishedSignOut(account: account("old"), store: store).begin(.making("token"))
        try await book.relabel("old", as: "new")
        #expect(try await store.token(of: account("new")) == "token")
        #expect(try await store.read(account("old").signOut) == nil)
    }

    @Test func `an account that is signed out during the change keeps the settings that lead to its pending revocation`() async throws {
        let store = InterruptedStore()
        let book = AccountBook(store: store)
        let account = try account("old")
        try await book.save(Self.settings, as: "old")
        try await store.memory.put("token", for: account)
        store.afterFirstWrite {
            try? await UnfinishedSignOut(account: account, store: store.memory).begin(.making("token"))
            _ = try? await store.memory.delete(account, at: nil)
        }
        let failure = await #expect(throws: SessionError.self) { try await book.relabel("old", as: "new") }
        #expect(failure?.accountProblem == .revocationPending)
        #expect(try await book.list().labels == ["old"])
    }

    @Test func `what an interrupted change leaves of the tokens counts as none`() async throws {
        let store = MemoryCredentialStore()
        let book = AccountBook(store: store)
        let account = try account("old")
        _ = try await store.write(MovedRecord.payload, for: account, replacing: nil)
        #expect(try await !book.hasTokens("old"))
        #expect(try await !book.hasCredential(account))
    }

    enum Obstacle: CaseIterable {
        case unknown, settingsOfAnother, tokensOfAnother, bothSignedIn, pendingRevocation, signIn
    }

    @Test(arguments: Obstacle.allCases)
    func `an obstacle is named, and nothing changes`(obstacle: Obstacle) async throws {
        let store = MemoryCredentialStore()
        let book = AccountBook(store: store)
        if obstacle != .unknown { try await book.save(Self.settings, as: "old") }
        var lease: CredentialLease?
        var other = Self.settings
        let expected: AccountProblem
        switch obstacle {
        case .unknown: expected = .unknown
        case .settingsOfAnother:
            other.scope = ["user-top-read"]
            try await book.save(other, as: "new")
            expected = .labelTaken
        case .tokensOfAnother:
            try await book.save(Self.settings, as: "new")
            try await store.put("standing", for: account("new"))
            expected = .labelTakenBySignedOut
        case .bothSignedIn:
            try await store.put("token", for: account("old"))
            try await book.save(Self.settings, as: "new")
            try await store.put("standing", for: account("new"))
            expected = .labelTaken
        case .pendingRevocation:
            try await UnfinishedSignOut(account: account("old"), store: store).begin(.making("revoke-me"))
            expected = .revocationPending
        case .signIn:
            lease = try await store.lease(account("new").signIns, waitingAtMost: .zero)
            expected = .inUse(holder: nil)
        }
        let before = try await Self.contents(of: store)
        let failure = await #expect(throws: SessionError.self) { try await book.relabel("old", as: "new") }
        #expect(failure?.accountProblem == expected)
        #expect(try await Self.contents(of: store) == before)
        await lease?.release()
    }

    private static func contents(of store: MemoryCredentialStore) async throws -> [CredentialAccount: [UInt8]] {
        var contents: [CredentialAccount: [UInt8]] = [:]
        for account in try await store.inventory(includingUnlisted: true).accounts {
            contents[account] = try await store.read(account)?.payload.reveal()
        }
        return contents
    }

    enum Stored: CaseIterable {
        case nothing, damagedSettings, tokensAlone, account
    }

    @Test(arguments: Stored.allCases)
    func `a removal leaves nothing under the label, and says what it found`(stored: Stored) async throws {
        let store = MemoryCredentialStore()
        let book = AccountBook(store: store)
        let account = try account("work")
        switch stored {
        case .nothing: break
        case .damagedSettings:
            _ = try await store.write(Secret(Array("{}".utf8)), for: AccountSettings.recordAccount(label: "work"), replacing: nil)
            try await store.put("token", for: account)
        case .tokensAlone: try await store.put("token", for: account)
        case .account:
            try await book.save(Self.settings, as: "work")
            try await store.put("token", for: account)
            try await UnfinishedSignOut(account: account, store: store).begin(.making("revoke-me"))
        }
        let none = Dependencies(transport: RoutedTransport([]))
        do throws(SessionError) {
            let removal = try await book.remove("work", revoking: false) { _ in none }
            switch (removal, stored) {
            case (.damagedSettings, .damagedSettings), (.tokensWithoutSettings, .tokensAlone), (.notRevoked, .account): break
            default: Issue.record("\(removal)")
            }
        } catch {
            #expect(stored == .nothing && error.accountProblem == .unknown)
        }
        #expect(try await Self.contents(of: store).isEmpty)
    }

    @Test func `a removal deletes even tokens that the server could not be asked to revoke`() async throws {
        let store = MemoryCredentialStore()
        let book = AccountBook(store: store)
        var settings = Self.settings
        settings.provider = .described(
            ProviderProfile(
                name: "test", displayName: "Test",
                endpoints: Endpoints(token: "https://as.example/token", revocation: "https://as.example/revoke")))
        try await book.save(settings, as: "work")
        try await store.put("token", for: settings.account(label: "work"))
        let unreachable = Dependencies(transport: RoutedTransport([]))
        guard case .failed = try await book.remove("work", dependencies: unreachable) else {
            Issue.record("the server was asked")
            return
        }
        #expect(try await Self.contents(of: store).isEmpty)
    }

    @Test(arguments: [true, false])
    func `settings are kept after a sign-out only if they have to lead to tokens`(isPending: Bool) async throws {
        let store = MemoryCredentialStore()
        let book = AccountBook(store: store)
        let version = try await book.save(Self.settings, as: "work")
        let account = try account("work")
        if isPending { try await UnfinishedSignOut(account: account, store: store).begin(.making("revoke-me")) }
        #expect(try await book.forgetSignedOut(account, at: version) == isPending)
        #expect(try await book.list().labels == (isPending ? ["work"] : []))
    }
}
