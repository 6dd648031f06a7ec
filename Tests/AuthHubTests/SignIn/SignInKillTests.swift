import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import OAuthProtocol
import Platform
import Synchronization
import Testing
import WebAuthentication

@testable import AuthHub

/// A sign-in stores itself (7 steps of a write), removes itself when its callback arrives (7, and 4 of a deletion), and stores its tokens
/// (7). At whichever step its process is killed, the next process continues from there.
struct SignInKillTests {
    private static let steps = 25

    @Test(arguments: 1...steps)
    func `a process killed at any step of a sign-in leaves it complete or gone, and the next process signs in`(step: Int) async throws {
        try await withStoreFolder { folder in
            await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, step = step as Int] in
                let reached = Mutex(0)
                let store = fileStore(below: folder) { _ in
                    let count = reached.withLock { count in
                        count += 1
                        return count
                    }
                    if count == step { kill(getpid(), SIGKILL) }
                }
                try await SessionSetting(store: store).session().signIn()
            }
            try await expectUsable(folder)
        }
    }

    @Test func `the next process finishes a sign-in whose process was killed while its page was shown`() async throws {
        try await withStoreFolder { folder in
            await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
                let setting = SessionSetting(store: fileStore(below: folder)) { _ in
                    kill(getpid(), SIGKILL)
                    return .cancelled
                }
                try await setting.session().signIn()
            }
            #expect(try await kept(folder).count == 1)
            try await expectUsable(folder)
        }
    }

    /// Checks that a stored sign-in can be finished or is rejected, and that the lease is free for another sign-in.
    private func expectUsable(_ folder: String) async throws {
        let store = fileStore(below: folder)
        let setting = SessionSetting(store: store)
        let session = setting.session(.manual)
        let inventory = try await store.inventory()
        #expect(inventory.unreadable.isEmpty)
        let wasStored = inventory.accounts == [session.account]
        #expect(wasStored || inventory.accounts.isEmpty)
        let pending = try await kept(folder)
        #expect(pending.count <= 1)
        if let pending = pending.first {
            #expect(!wasStored)
            let members = try JSONValue(strict: pending.serialized().reveal())
            let state = try #require(members["state"]?.string)
            try await session.finishSignIn(with: "\(pending.redirectURI)?code=c0de&state=\(state)")
        }
        #expect(try await kept(folder).isEmpty)
        #expect((try? await session.restore()).map { $0 != .signedOut } == (wasStored || !pending.isEmpty))
        try await setting.session().signIn()
        #expect(setting.browser.visitedURLs.count == 1)
        #expect(try await store.inventory().accounts == [session.account])
        #expect(try await kept(folder).isEmpty)
    }

    private func kept(_ folder: String) async throws -> [PendingAuthorization] {
        let account = SessionSetting().session().account
        return try await PendingSignIns(of: account, in: fileStore(below: folder), now: { start }).all()
    }
}
