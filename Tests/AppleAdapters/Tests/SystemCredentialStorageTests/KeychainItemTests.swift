import AuthHubPrimitives
import CredentialStorage
import Foundation
import Security
import Testing

@testable import SystemCredentialStorageOnLinux

/// The contents of the items, and the effect of concurrent changes by others.
@Suite(.timeLimit(.minutes(3)))
struct KeychainItemTests {
    private let setting = Setting()

    private func code(_ work: () async throws -> Void) async -> CredentialStoreError.Code? {
        do { try await work() } catch { return (error as? CredentialStoreError)?.code }
        return nil
    }

    @Test func `an item stays on the device, can be read after the first unlock, and names no account`() async throws {
        let (store, version) = try await setting.holding("first")
        _ = try await store.write(Secret(Array("second".utf8)), for: setting.account, replacing: version)
        #expect(setting.keychain.count == 1)
        let attributes = try #require(setting.keychain.attributes.first)
        #expect(attributes[kSecAttrAccessible] == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)
        #expect(attributes[kSecAttrAccount]?.count == 64)
        #expect(!attributes.values.contains { $0.contains("octocat") || $0.contains("second") })
        #expect(setting.keychain.accessGroups == ["ABCDE12345.shared"])
    }

    @Test func `without an access group items are the program's own`() async throws {
        let store = KeychainCredentialStore(service: setting.service)
        _ = try await store.write(Secret([1]), for: setting.account, replacing: nil)
        #expect(try await store.read(setting.account)?.payload.reveal() == [1])
        #expect(setting.keychain.accessGroups == ["ABCDE12345.own"])
        #expect(try await setting.store().read(setting.account) == nil)
    }

    @Test func `a write compares and sets in one call, and reads only if it has lost`() async throws {
        let (store, version) = try await setting.holding("first")
        #expect(setting.keychain.calls == [.add])
        _ = try await store.write(Secret([2]), for: setting.account, replacing: version)
        #expect(setting.keychain.calls == [.add, .update])
        let lost = try await store.write(Secret([3]), for: setting.account, replacing: version)
        #expect(lost.standing == "\u{2}")
        #expect(setting.keychain.calls == [.add, .update, .update, .copy])
    }

    @Test func `a write that is overtaken between reading and writing fails`() async throws {
        let (store, version) = try await setting.holding("first")
        setting.keychain.interrupt(.update) { keychain in
            keychain.spoil(kSecAttrGeneric) { _ in Data([1, 9]) }
        }
        #expect(try await store.write(Secret([2]), for: setting.account, replacing: version).standing == "first")
    }

    @Test func `retries a first write that finds an item which is gone a moment later`() async throws {
        let (store, _) = try await setting.holding("first")
        setting.keychain.interrupt(.copy) { $0.removeAll() }
        #expect(try await store.write(Secret([2]), for: setting.account, replacing: nil).standing == nil)
        #expect(setting.keychain.calls == [.add, .add, .copy, .add])
    }

    @Test func `a deletion that is overtaken leaves the stored item`() async throws {
        let (store, version) = try await setting.holding("first")
        setting.keychain.interrupt(.delete) { keychain in
            keychain.spoil(kSecAttrGeneric) { _ in Data([1, 9]) }
        }
        #expect(try await store.delete(setting.account, at: version) == false)
        #expect(try await store.delete(setting.account, at: nil))
        #expect(try await store.delete(setting.account, at: version))
        #expect(setting.keychain.count == 0)
    }

    @Test func `a program that only reads changes nothing, and can still wait for a writer`() async throws {
        let (store, version) = try await setting.holding("record")
        let reader = setting.store(.readOnly)
        #expect(try await reader.read(setting.account)?.text == "record")
        #expect(try await reader.accounts() == [setting.account])
        #expect(await code { _ = try await reader.write(Secret([1]), for: setting.account, replacing: version) } == .refused)
        #expect(await code { _ = try await reader.delete(setting.account, at: nil) } == .refused)
        #expect(await code { try await reader.prepareToWrite(for: setting.account) } == .refused)
        #expect(await code { _ = try await reader.removeUnreadable() } == .refused)
        let lease = try await reader.lease(setting.account, waitingAtMost: .zero)
        #expect(await code { _ = try await store.lease(setting.account, waitingAtMost: .zero) } == .leaseHeld)
        await lease.release()
        setting.cleanUp()
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: CredentialStoreError.Code
        let spoil: @Sendable (PretendKeychain) -> Void
    }

    @Test(arguments: [
        Damage(testDescription: "no value", code: .corrupt) { $0.spoil(kSecValueData) { _ in Data() } },
        Damage(testDescription: "a newer format", code: .tooNew) { $0.spoil(kSecValueData) { Data([2]) + $0.dropFirst() } },
        Damage(testDescription: "a newer mark", code: .tooNew) { $0.spoil(kSecAttrGeneric) { Data([2]) + $0.dropFirst() } },
        Damage(testDescription: "no version", code: .corrupt) { $0.spoil(kSecAttrGeneric) { _ in Data() } },
        Damage(testDescription: "no names", code: .corrupt) { $0.spoil(kSecAttrComment, text: "") },
        Damage(testDescription: "another account's names", code: .corrupt) {
            $0.spoil(kSecAttrComment, text: Data(#"["https://as.example","client","other"]"#.utf8).base64EncodedString())
        },
    ])
    func `distinguishes a damaged item from a missing one, and removes only damaged ones`(damage: Damage) async throws {
        let (store, _) = try await setting.holding("record")
        damage.spoil(setting.keychain)
        #expect(await code { _ = try await store.read(setting.account) } == damage.code)
        #expect(setting.keychain.count == 1)
        #expect(try await store.removeUnreadable() == (damage.code == .corrupt ? 1 : 0))
        #expect(setting.keychain.count == (damage.code == .corrupt ? 0 : 1))
    }
}
