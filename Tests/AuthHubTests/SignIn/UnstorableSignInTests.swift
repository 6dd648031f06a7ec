import AuthHubTesting
import CredentialStorage
import HTTPLoading
import Synchronization
import Testing

@testable import AuthHub

/// Sign-ins whose store fails during the code exchange.
struct UnstorableSignInTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let step: StorageStep
        let code: CredentialStoreError.Code
        let isStored: Bool
    }

    @Test(arguments: [
        Row(testDescription: "a full disk", step: .temporaryCreated, code: .full, isStored: false),
        Row(testDescription: "a store that has become read-only", step: .locked, code: .refused, isStored: false),
        Row(
            testDescription: "a disk that fails before the record is in its place", step: .temporarySynchronized, code: .failed,
            isStored: false),
        Row(testDescription: "a disk that fails when the record is in its place", step: .renamed, code: .failed, isStored: true),
    ])
    func `revokes tokens that cannot be stored, and keeps those that are stored`(row: Row) async throws {
        try await withStoreFolder { folder in
            let isBroken = Mutex(false)
            let store = fileStore(below: folder) { step throws(CredentialStoreError) in
                if step == row.step, isBroken.withLock({ $0 }) { throw CredentialStoreError(row.code, "broken for the test") }
            }
            let setting = SessionSetting(store: store)
            setting.server.configure { $0.afterToken = { () async throws(LoadError) in isBroken.withLock { $0 = true } } }
            let failure = await #expect(throws: SessionError.self) { try await setting.session().signIn() }
            #expect((failure?.underlying as? CredentialStoreError)?.code == row.code)
            #expect(setting.server.revoked == (row.isStored ? [] : ["refresh-1", "access-1"]))
            isBroken.withLock { $0 = false }
            let accounts = try await store.accounts()
            #expect(accounts.count == (row.isStored ? 1 : 0))
        }
    }
}
