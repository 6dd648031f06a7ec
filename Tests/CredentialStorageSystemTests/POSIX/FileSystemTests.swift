import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Platform
@testable import CredentialStorageTests
import Testing

/// Tests with real file systems that are full or read-only.
@Suite(.enabled(if: SmallFileSystem.canBeMounted, "file systems can be mounted by root only, on Linux"))
struct FileSystemTests {
    @Test(arguments: StoreForm.allCases)
    func `on a full file system the old record stays, and writes work again once there is room`(form: StoreForm) async throws {
        let disk = try SmallFileSystem()
        let store = disk.folder.anyStore(form)
        let version = try await store.store("old", for: .octocat)
        try disk.fill()
        await expect(.full, at: disk) { () throws(CredentialStoreError) in
            _ = try await store.write(Secret([1]), for: .octocat, replacing: version)
        }
        await expect(.full, at: disk) { () throws(CredentialStoreError) in try await store.prepareToWrite(for: .octocat) }
        #expect(try await store.read(.octocat)?.text == "old")
        #expect(try await disk.folder.anyStore(form).read(.octocat)?.version == version)
        #expect(try !names(in: disk.folder.storePath).contains { $0.hasSuffix(".new") })
        try disk.makeRoom()
        try await store.store("new", for: .octocat, replacing: version)
        #expect(try await disk.folder.anyStore(form).read(.octocat)?.text == "new")
    }

    @Test(arguments: StoreForm.allCases)
    func `TR49: reserved room is available for the next write, even if the file system is full by then`(form: StoreForm) async throws {
        let disk = try SmallFileSystem()
        let store = disk.folder.anyStore(form)
        let version = try await store.store("old", for: .octocat)
        let room = try await store.reserveRoom(for: .octocat)
        try disk.fill()
        let next = try await store.store(String(repeating: "new", count: 1_000), for: .octocat, replacing: version)
        await room.release()
        #expect(try await disk.folder.anyStore(form).read(.octocat)?.text == String(repeating: "new", count: 1_000))
        try disk.fill()
        await expect(.full, at: disk) { () throws(CredentialStoreError) in
            _ = try await store.write(Secret([1]), for: .octocat, replacing: next)
        }
    }

    @Test(arguments: StoreForm.allCases)
    func `reserved room that no write has used is free after its release`(form: StoreForm) async throws {
        let disk = try SmallFileSystem()
        let store = disk.folder.anyStore(form)
        let version = try await store.store("old", for: .octocat)
        let room = try await store.reserveRoom(for: .octocat)
        #expect(try names(in: disk.folder.storePath).contains { $0.hasSuffix(".new") })
        #expect(try await store.read(.octocat)?.version == version)
        #expect(try await store.accounts() == [.octocat])
        await room.release()
        await room.release()
        #expect(try !names(in: disk.folder.storePath).contains { $0.hasSuffix(".new") })
    }

    @Test(arguments: StoreForm.allCases)
    func `on a full file system records can be deleted, and leases acquired`(form: StoreForm) async throws {
        let disk = try SmallFileSystem()
        let store = disk.folder.anyStore(form)
        let version = try await store.store("old", for: .octocat)
        try await store.lease(.octocat, waitingAtMost: .zero).release()
        try disk.fill()
        try await store.lease(.octocat, waitingAtMost: .zero).release()
        #expect(try await store.delete(.octocat, at: version))
        #expect(try await store.read(.octocat) == nil)
    }

    @Test func `changing the key on a full file system leaves all records readable`() async throws {
        let disk = try SmallFileSystem()
        try await disk.folder.store().store("old", for: .octocat)
        _ = try KeyFile(path: disk.folder.newKeyPath).key(creatingIfMissing: true)
        try disk.fill()
        let found = await code { () throws(CredentialStoreError) in
            _ = try await disk.folder.store().rekey(to: KeyFile(path: disk.folder.newKeyPath))
        }
        #expect(found == .full)
        #expect(try disk.folder.store().readNow(.octocat)?.text == "old")
        try disk.makeRoom()
        #expect(try await disk.folder.store().rekey(to: KeyFile(path: disk.folder.newKeyPath)) == 1)
        #expect(try disk.folder.storeWithNewKey().readNow(.octocat)?.text == "old")
    }

    @Test(arguments: StoreForm.allCases)
    func `on a read-only file system reads work, and everything else fails with the path`(form: StoreForm) async throws {
        let disk = try SmallFileSystem()
        let store = disk.folder.anyStore(form)
        let version = try await store.store("record", for: .octocat)
        try disk.remount(readOnly: true)
        for (account, version) in [(CredentialAccount.octocat, version), (.hubot, nil)] {
            await expect(.refused, "read-only", at: disk) { () throws(CredentialStoreError) in
                _ = try await store.write(Secret([1]), for: account, replacing: version)
            }
        }
        await expect(.refused, "read-only", at: disk) { () throws(CredentialStoreError) in _ = try await store.delete(.octocat, at: nil) }
        await expect(.refused, "read-only", at: disk) { () throws(CredentialStoreError) in try await store.prepareToWrite(for: .octocat) }
        await expect(.refused, "read-only", at: disk) { () throws(CredentialStoreError) in
            _ = try await store.lease(.octocat, waitingAtMost: .zero)
        }
        for reader in [store, disk.folder.anyStore(form)] {
            #expect(try await reader.read(.octocat)?.text == "record")
            #expect(try await reader.accounts() == [.octocat])
        }
        try disk.remount(readOnly: false)
        try await store.store("next", for: .octocat, replacing: version)
    }

    /// Runs an operation that must fail with a code and with a message that names the store's folder.
    private func expect(
        _ code: CredentialStoreError.Code, _ words: String = "no space", at disk: SmallFileSystem,
        _ work: () async throws(CredentialStoreError) -> Void
    ) async {
        let found = await error(of: work)
        #expect(found?.code == code)
        #expect(found?.explanation.contains(disk.folder.storePath) == true)
        #expect(found?.explanation.contains(words) == true)
    }
}

/// A file system of 512 KiB in memory. It is unmounted when the test releases this object.
final class SmallFileSystem: Sendable {
    static let canBeMounted: Bool = {
        guard geteuid() == 0, let disk = try? SmallFileSystem() else { return false }
        return exists(disk.folder.path)
    }()

    let folder: TemporaryFolder
    private var fillingPath: String { "\(folder.path)/filling" }

    init() throws {
        folder = try TemporaryFolder()
        #if os(Linux)
        try check(mount("tmpfs", folder.path, "tmpfs", 0, "size=512k,mode=700"), "mount", folder.path)
        #else
        throw TestFailure("There is no file system in memory here.")
        #endif
    }

    deinit {
        #if os(Linux)
        umount2(folder.path, Int32(MNT_DETACH))
        #endif
    }

    /// Writes until the file system is full.
    func fill() throws {
        let descriptor = open(fillingPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TestFailure("open \(fillingPath)") }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 1, count: 4_096)
        while write(descriptor, block, block.count) > 0 {}
        guard errno == ENOSPC else { throw TestFailure("write \(fillingPath): \(String(cString: strerror(errno)))") }
    }

    func makeRoom() throws {
        try check(unlink(fillingPath), "unlink", fillingPath)
    }

    func remount(readOnly: Bool) throws {
        #if os(Linux)
        let flags = UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)
        try check(mount("tmpfs", folder.path, "tmpfs", flags, "size=512k,mode=700"), "remount", folder.path)
        #endif
    }
}
