#if os(Linux)
import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Platform
import Synchronization
import Testing

/// Tests with the kernel's real keyring.
@Suite(.enabled(if: KernelKeyringCache.obstacle == nil, "the system forbids the kernel's keyring, as containers often do"))
struct KernelKeyringCacheTests {
    @Test func `the first process asks for a passphrase, and the next ones find the key in the keyring`() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/sealed.key"
        await #expect(processExitsWith: .success) { [path = path as String] in
            _ = try KernelKeyringCache(PassphraseKey(path: path, answers: .says("right"))).key(creatingIfMissing: true)
        }
        let silent = ScriptedPrompt()
        let cache = KernelKeyringCache(PassphraseKey(path: path, prompt: silent))
        let key = try #require(try cache.key(creatingIfMissing: false)).reveal()
        #expect(silent.asked.isEmpty)
        #expect(try PassphraseKey(path: path, answers: .says("right")).key(creatingIfMissing: false)?.reveal() == key)
        try cache.forget()
        #expect(throws: CredentialStoreError.self) { try cache.key(creatingIfMissing: false) }
        #expect(silent.asked == [.open(attempt: 1)])
    }

    @Test func `does not use a key from the keyring that has been replaced`() throws {
        let source = ChangingKey()
        let cache = KernelKeyringCache(source)
        let old = try cache.key(creatingIfMissing: false)
        source.change()
        let new = try cache.key(creatingIfMissing: false)
        #expect(old?.reveal() != new?.reveal())
        #expect(source.uses == 2)
        #expect(try KernelKeyringCache(source).key(creatingIfMissing: false)?.reveal() == new?.reveal())
        #expect(source.uses == 2)
        try cache.forget()
    }

    @Test func `using the key does not extend its lifetime`() throws {
        let source = ChangingKey()
        let cache = KernelKeyringCache(source)
        _ = try cache.key(creatingIfMissing: false)
        // Simulates the expiry.
        try cache.forget()
        _ = try cache.key(creatingIfMissing: false)
        _ = try KernelKeyringCache(source).key(creatingIfMissing: false)
        #expect(source.uses == 3)
        try cache.forget()
    }

    @Test func `neither creates nor caches a key unless requested`() throws {
        let folder = try TemporaryFolder()
        let cache = KernelKeyringCache(PassphraseKey(path: "\(folder.path)/sealed.key", prompt: ScriptedPrompt()))
        #expect(try cache.key(creatingIfMissing: false) == nil)
        #expect(try cache.fingerprint() == nil)
        try cache.forget()
    }

    @Test func `works with a session keyring without a link to the user's`() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/sealed.key"
        await #expect(processExitsWith: .success) { [path = path as String] in
            joinNewSessionKeyring()
            _ = try KernelKeyringCache(PassphraseKey(path: path, answers: .says("right"))).key(creatingIfMissing: true)
        }
        await #expect(processExitsWith: .success) { [path = path as String] in
            joinNewSessionKeyring()
            let cache = KernelKeyringCache(PassphraseKey(path: path))
            guard try cache.key(creatingIfMissing: false) != nil else { throw TestFailure("There is no key.") }
            try cache.forget()
        }
    }
}

@Suite(.enabled(if: SystemCallFilter.isKnown, "the numbers of the calls are not known for this processor"))
struct ForbiddenKernelKeyringTests {
    @Test(arguments: [
        ("a seccomp filter, as in a container", EPERM), ("a system without keyrings", ENOSYS), ("no quota left", EDQUOT),
        ("a policy", EACCES),
    ])
    func `if the system denies its keyring, asks the source each time, without a message`(why: String, number: Int32) async throws {
        await #expect(processExitsWith: .success) { [number = number as Int32] in
            let source = ChangingKey()
            try SystemCallFilter.refuseKeyring(with: UInt32(number))
            guard KernelKeyringCache.obstacle != nil else { throw TestFailure("The keyring is there.") }
            for _ in 0..<2 { _ = try KernelKeyringCache(source).key(creatingIfMissing: false) }
            try KernelKeyringCache(source).forget()
            guard source.uses == 2 else { throw TestFailure("It was asked \(source.uses) times.") }
        }
    }
}

/// A separate key that counts how often it is requested.
final class ChangingKey: FingerprintedKeySource {
    private let state = Mutex((key: randomBytes(count: 32), uses: 0))

    var uses: Int { state.withLock(\.uses) }

    func change() {
        state.withLock { $0.key = randomBytes(count: 32) }
    }

    func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>? {
        state.withLock { state in
            state.uses += 1
            return Secret(state.key)
        }
    }

    func fingerprint() throws(CredentialStoreError) -> StoreKeyFingerprint? {
        StoreKeyFingerprint(of: Secret(state.withLock(\.key)))
    }
}
#endif
