import CredentialStorage
import CredentialStorageTestSupport
import Testing

struct SignInsAccountTests {
    @Test func `each account has its own record for sign-ins, which is not listed as an account`() {
        let accounts = [("https://a.example", "c", "l"), ("https://a.example", "c", "m"), ("https://a.example", "d", "l"), ("", "c", "l")]
            .map { CredentialAccount(server: $0.0, clientID: $0.1, label: $0.2) }
        let all = accounts + accounts.map(\.signIns) + accounts.map(\.signIns.signIns)
        #expect(Set(all).count == all.count)
        #expect(accounts.filter(\.isListed).count == accounts.count)
        #expect(accounts.filter(\.signIns.isListed).isEmpty)
    }

    @Test(arguments: [
        ("authhub:", false), ("authhub:settings", false), ("authhub", true), ("Authhub:settings", true), ("https://authhub:1", true),
        ("", true),
    ])
    func `does not list a program's own records next to accounts`(server: String, isListed: Bool) {
        #expect(CredentialAccount(server: server, clientID: "c").isListed == isListed)
    }

    @Test func `a sign-in and a refresh do not wait for each other`() async throws {
        let folder = try TemporaryFolder()
        for store in [folder.store(), MemoryCredentialStore()] as [any CredentialStore] {
            let signIn = try await store.lease(CredentialAccount.octocat.signIns, waitingAtMost: .zero)
            let refresh = try await store.lease(.octocat, waitingAtMost: .zero)
            await refresh.release()
            await signIn.release()
        }
    }
}
