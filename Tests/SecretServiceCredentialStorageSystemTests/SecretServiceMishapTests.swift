import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import SecretServiceCredentialStorage
import Testing

/// Tests with a service that crashes, hangs and restarts.
@Suite(.enabled(if: PrivateKeyring.isPossible, "needs dbus-daemon, gnome-keyring, libglib2.0-bin and libsecret-tools"))
struct SecretServiceMishapTests {
    @Test func `after the service is killed and restarted, the next call works and the records are there`() async throws {
        let keyring = try await PrivateKeyring()
        let store = keyring.store()
        let version = try await store.store("first", for: .octocat)
        for round in 1...3 {
            try await keyring.run("end_daemon; start_unlocked")
            #expect(try await store.read(.octocat)?.text == "first", "round \(round)")
        }
        try await keyring.run("end_daemon; start_unlocked")
        try await store.store("second", for: .octocat, replacing: version)
        try await keyring.run("end_daemon; start_unlocked")
        #expect(try await store.accounts() == [.octocat])
        #expect(try await store.read(.octocat)?.text == "second")
    }

    @Test(arguments: [SecretServiceStep.locked, .compared])
    func `a write succeeds even if the service restarts in the middle of it`(step: SecretServiceStep) async throws {
        let keyring = try await PrivateKeyring()
        let version = try await keyring.store().store("old", for: .octocat)
        let restart = Restart(keyring)
        let store = keyring.store { reached throws(CredentialStoreError) in if reached == step { restart.once() } }
        try await store.store("new", for: .octocat, replacing: version)
        #expect(restart.hasBeen)
        #expect(try await keyring.store().read(.octocat)?.text == "new")
        #expect(try await keyring.items() == 1)
    }

    @Test func `a service that is gone is unavailable`() async throws {
        let keyring = try await PrivateKeyring()
        let store = keyring.store()
        try await store.store("kept", for: .octocat)
        try await keyring.run("end_daemon")
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.read(.octocat) } == .unavailable)
        #expect(await store.state().condition == .noService)
    }

    @Test func `times out a service that hangs, which works again once it resumes`() async throws {
        let keyring = try await PrivateKeyring()
        let version = try await keyring.store().store("kept", for: .octocat)
        let store = try await keyring.connectedStore(callLimit: .seconds(1))
        try await keyring.run("signal STOP")
        let start = ContinuousClock.now
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.read(.octocat) } == .timedOut)
        // A new store must still create the connection and the session.
        let newStore = keyring.store(callLimit: .seconds(1))
        #expect(await code { () throws(CredentialStoreError) in _ = try await newStore.read(.octocat) } == .timedOut)
        #expect(
            await code { () throws(CredentialStoreError) in
                _ = try await store.write(Secret([1]), for: .octocat, replacing: version)
            } == .timedOut)
        #expect(await store.state().condition == .timedOut)
        #expect(ContinuousClock.now - start < .seconds(120))
        try await keyring.run("signal CONT")
        let patient = keyring.store()
        #expect(try await patient.read(.octocat)?.text == "kept")
        try await patient.store("new", for: .octocat, replacing: version)
    }

    @Test func `a hundred calls to a service that hangs all end`() async throws {
        let keyring = try await PrivateKeyring()
        try await keyring.store().store("kept", for: .octocat)
        let store = try await keyring.connectedStore(callLimit: .seconds(1))
        try await keyring.run("signal STOP")
        let codes = await withTaskGroup(of: CredentialStoreError.Code?.self) { group in
            for _ in 0..<100 {
                group.addTask { await code { () throws(CredentialStoreError) in _ = try await store.read(.octocat) } }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(codes == [.timedOut])
    }

    @Test func `times out a bus that hangs`() async throws {
        let keyring = try await PrivateKeyring()
        try await keyring.run("kill -STOP $bus")
        let store = keyring.store(callLimit: .seconds(1))
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.read(.octocat) } == .timedOut)
        try await keyring.run("kill -CONT $bus")
        #expect(try await keyring.store().read(.octocat) == nil)
    }

    @Test func `a cancelled task stops waiting for a service that hangs`() async throws {
        let keyring = try await PrivateKeyring()
        let store = keyring.store(callLimit: .seconds(3_600))
        #expect(try await store.read(.octocat) == nil)
        try await keyring.run("signal STOP")
        let task = Task { try await store.read(.octocat) }
        task.cancel()
        #expect(await code { () throws(CredentialStoreError) in try await value(of: task) } == .cancelled)
    }

    @Test func `a write continues when its task is cancelled`() async throws {
        let keyring = try await PrivateKeyring()
        let store = keyring.store()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.store("the only copy", for: .octocat)
        }
        _ = try await task.value
        #expect(try await store.read(.octocat)?.text == "the only copy")
    }

    @Test func `finds a restarted bus`() async throws {
        let keyring = try await PrivateKeyring()
        let store = keyring.store()
        try await store.store("kept", for: .octocat)
        try await keyring.run("end_daemon; kill -KILL $bus; wait $bus; rm -f $XDG_RUNTIME_DIR/bus")
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.read(.octocat) } == .unavailable)
        #expect(await store.state().condition == .noBus)
        try await keyring.run("start_bus && start_unlocked")
        #expect(try await store.read(.octocat)?.text == "kept")
    }
}

extension PrivateKeyring {
    /// Returns a store that is connected to the service. On a busy machine, connecting may take more than one attempt.
    func connectedStore(callLimit: Duration) async throws -> SecretServiceStore {
        let store = store(callLimit: callLimit)
        while true {
            do throws(CredentialStoreError) {
                _ = try await store.read(.octocat)
                return store
            } catch {
                guard error.code == .timedOut else { throw error }
            }
        }
    }

    /// Returns the number of items of the tests' service.
    func items(service: String = service) async throws -> Int {
        try await run("secret-tool search --all service \(service) || true").split(separator: "\n").count { $0.hasPrefix("[/") }
    }
}
