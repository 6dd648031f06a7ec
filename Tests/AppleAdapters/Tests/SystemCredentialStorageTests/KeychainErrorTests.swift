import AuthHubPrimitives
import CredentialStorage
import Security
import Testing

@testable import SystemCredentialStorageOnLinux

/// What the system's statuses mean for the store's callers.
struct KeychainErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int32
        let code: CredentialStoreError.Code
    }

    @Test(arguments: [
        Row(testDescription: "InteractionNotAllowed: not unlocked since the start", status: -25308, code: .locked),
        Row(testDescription: "InteractionRequired", status: -25315, code: .locked),
        Row(testDescription: "DataNotAvailable", status: -25316, code: .locked),
        Row(testDescription: "InDarkWake", status: -25320, code: .locked),
        Row(testDescription: "UserCanceled", status: -128, code: .dismissed),
        Row(testDescription: "AuthFailed", status: -25293, code: .refused),
        Row(testDescription: "MissingEntitlement", status: -34018, code: .refused),
        Row(testDescription: "NoAccessForItem", status: -25243, code: .refused),
        Row(testDescription: "ReadOnly", status: -25292, code: .refused),
        Row(testDescription: "RestrictedAPI", status: -34020, code: .refused),
        Row(testDescription: "NotAvailable", status: -25291, code: .unavailable),
        Row(testDescription: "NoSuchKeychain", status: -25294, code: .unavailable),
        Row(testDescription: "NoDefaultKeychain", status: -25307, code: .unavailable),
        Row(testDescription: "ServiceNotAvailable", status: -67585, code: .unavailable),
        Row(testDescription: "Unimplemented", status: -4, code: .unavailable),
        Row(testDescription: "DiskFull", status: -34, code: .full),
        Row(testDescription: "DataTooLarge", status: -25302, code: .tooLarge),
        Row(testDescription: "Decode", status: -26275, code: .corrupt),
        Row(testDescription: "Param", status: -50, code: .failed),
        Row(testDescription: "InternalComponent, like all others", status: -2070, code: .failed),
    ])
    func `a status has its own error, for reading, writing, deleting and listing`(row: Row) async throws {
        let setting = Setting()
        defer { setting.cleanUp() }
        let (store, version) = try await setting.holding("canary")
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await store.read(setting.account) },
            { _ = try await store.write(Secret([1]), for: setting.account, replacing: version) },
            { _ = try await store.write(Secret([1]), for: setting.account, replacing: nil) },
            { _ = try await store.delete(setting.account, at: version) },
            { _ = try await store.accounts() },
            { try await store.prepareToWrite(for: setting.account) },
        ]
        for call in calls {
            setting.keychain.fail(row.status)
            let error = await #expect(throws: CredentialStoreError.self) { try await call() }
            #expect(error?.code == row.code)
            #expect(error?.explanation.contains("\(row.status)") == true)
            #expect(error?.explanation.contains("canary") == false)
        }
        #expect(try await store.read(setting.account)?.text == "canary")
    }

    @Test func `a keychain that is not unlocked yet is locked, and never an account without a record`() async throws {
        let setting = Setting()
        defer { setting.cleanUp() }
        let (store, version) = try await setting.holding("record")
        setting.keychain.lock(true)
        await #expect { _ = try await store.read(setting.account) } throws: { ($0 as? CredentialStoreError)?.code == .locked }
        await #expect { _ = try await store.delete(setting.account, at: version) } throws: {
            ($0 as? CredentialStoreError)?.code == .locked
        }
        setting.keychain.lock(false)
        #expect(try await store.read(setting.account)?.text == "record")
    }

    @Test func `a program without the entitlement is told to get it`() async throws {
        let setting = Setting()
        let store = setting.store(group: "ABCDE12345.others")
        let error = await #expect(throws: CredentialStoreError.self) { try await store.read(setting.account) }
        #expect(error?.code == .refused)
        #expect(error?.explanation.contains("Keychain Sharing") == true)
        #expect(error?.explanation.contains("A required entitlement isn't present.") == true)
    }
}
