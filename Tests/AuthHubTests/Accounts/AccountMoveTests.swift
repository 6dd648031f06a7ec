import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import OAuthProtocol
import Synchronization
import Testing

@testable import AuthHub

struct AccountMoveTests {
    private let source = Neighbours.account(label: "old")
    private let target = Neighbours.account(label: "new")

    @Test(arguments: StoreKind.allCases)
    func `moves an account with its tokens and leaves other accounts alone`(kind: StoreKind) async throws {
        try await kind.using { store in
            try await store.put("token", for: source)
            try await store.put("other", for: Neighbours.account(server: "https://two.example", label: "old"))
            let accounts = OAuthAccounts(store: store)
            #expect(try await accounts.relabel(source, as: "new") == target)
            #expect(try await store.token(of: target) == "token")
            #expect(try await Set(store.accounts().map(\.label)) == ["new", "old"])
            #expect(try await store.read(source) == nil)
            #expect(try await store.token(of: Neighbours.account(server: "https://two.example", label: "old")) == "other")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `leaves both accounts unchanged if the new label is in use`(kind: StoreKind) async throws {
        try await kind.using { store in
            try await store.put("token", for: source)
            try await store.put("standing", for: target)
            let failure = await #expect(throws: SessionError.self) { try await OAuthAccounts(store: store).relabel(source, as: "new") }
            #expect(failure?.code == .misconfigured)
            #expect(try await store.token(of: source) == "token")
            #expect(try await store.token(of: target) == "standing")
        }
    }

    @Test func `finds nothing to move if the account is signed out`() async throws {
        let store = MemoryCredentialStore()
        let failure = await #expect(throws: SessionError.self) { try await OAuthAccounts(store: store).relabel(source, as: "new") }
        #expect(failure?.code == .signInNeeded)
        #expect(try await store.accounts().isEmpty)
    }

    @Test func `a running session of the old label is signed out after the move, and one of the new label is signed in`() async throws {
        let setting = SessionSetting()
        let old = try await setting.signedIn(.manual)
        try await OAuthAccounts(store: setting.store).relabel(old.account, as: "new")
        let failure = await #expect(throws: SessionError.self) { try await old.refresh() }
        #expect(failure?.code == .signInNeeded)
        #expect(old.state == .signedOut)
        let new = setting.session(.manual, label: "new")
        try await new.refresh()
        #expect(try await new.accessToken().value == Secret("access-2"))
        #expect(!setting.server.familyIsRevoked)
    }

    @Test func `a refresh in progress finishes first, and its tokens are moved`() async throws {
        let gate = Gate()
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        let refresh = Task { try await session.refresh() }
        await gate.untilReached()
        let move = Task { try await OAuthAccounts(store: setting.store).relabel(session.account, as: "new") }
        gate.open()
        try await refresh.value
        let target = try await move.value
        #expect(try await setting.store.token(of: target) == "access-2")
        #expect(setting.server.revoked.isEmpty)
    }

    @Test(arguments: 0..<3)
    func `a move that is interrupted at any step keeps the account, and moving again completes it`(steps: Int) async throws {
        let store = InterruptedStore()
        try await store.memory.put("token", for: source)
        store.stop(after: steps)
        let accounts = OAuthAccounts(store: store)
        _ = try? await accounts.relabel(source, as: "new")
        store.goOn()
        let left = try await [store.token(of: source), store.token(of: target)].compactMap { $0 }
        #expect(!left.isEmpty)
        #expect(Set(left) == ["token"])
        if try await store.token(of: source) != nil { try await accounts.relabel(source, as: "new") }
        #expect(try await store.token(of: source) == nil)
        #expect(try await store.token(of: target) == "token")
        #expect(try await accounts.list().accounts.map(\.label) == ["new"])
        try await accounts.relabel(target, as: "old")
        #expect(try await store.token(of: source) == "token", "what a move leaves is no obstacle")
    }

    @Test func `does not undo a sign-out that happens during a move`() async throws {
        let store = InterruptedStore()
        try await store.memory.put("token", for: source)
        store.afterFirstWrite { [source] in _ = try? await store.memory.delete(source, at: nil) }
        let failure = await #expect(throws: SessionError.self) { try await OAuthAccounts(store: store).relabel(source, as: "new") }
        #expect(failure?.code == .signInNeeded)
        #expect(try await store.accounts().isEmpty)
    }

    @Test func `moves the tokens of a sign-in that happens during the move`() async throws {
        let store = InterruptedStore()
        try await store.memory.put("token", for: source)
        store.afterFirstWrite { [source] in
            _ = try? await store.memory.delete(source, at: nil)
            try? await store.memory.put("newer", for: source)
        }
        try await OAuthAccounts(store: store).relabel(source, as: "new")
        #expect(try await store.token(of: target) == "newer")
        #expect(try await store.accounts() == [target])
    }

    @Test func `concurrent moves in opposite directions do not deadlock`() async throws {
        let store = MemoryCredentialStore()
        try await store.put("token", for: source)
        let accounts = OAuthAccounts(store: store)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { _ = try? await accounts.relabel(source, as: "new") }
                group.addTask { _ = try? await accounts.relabel(target, as: "old") }
            }
        }
        let standing = try await accounts.list().accounts
        #expect(standing.count == 1)
        #expect(try await store.token(of: standing[0].account) == "token")
    }
}
