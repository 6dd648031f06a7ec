import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import SecretServiceCredentialStorage
import Testing

/// Tests the errors and prompts of a locked and of a missing keyring.
@Suite(.enabled(if: PrivateKeyring.isPossible, "needs dbus-daemon, gnome-keyring, libglib2.0-bin and libsecret-tools"))
struct SecretServiceLockedTests {
    private static let patient = SecretServicePrompting.allowed(waitingAtMost: .seconds(120), makingKeyring: true)

    @Test func `every call distinguishes a locked keyring from an empty one`() async throws {
        let keyring = try await PrivateKeyring()
        let store = keyring.store()
        let version = try await store.store("kept", for: .octocat)
        try await keyring.run("lock")
        for account in [CredentialAccount.octocat, .hubot] {
            #expect(await code { () throws(CredentialStoreError) in _ = try await store.read(account) } == .locked)
            #expect(await code { () throws(CredentialStoreError) in _ = try await store.prepareToWrite(for: account) } == .locked)
            #expect(
                await code { () throws(CredentialStoreError) in
                    _ = try await store.write(Secret([1]), for: account, replacing: version)
                } == .locked)
            #expect(await code { () throws(CredentialStoreError) in _ = try await store.delete(account, at: nil) } == .locked)
        }
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.accounts() } == .locked)
        #expect(await store.state().condition == .locked)
        #expect(await store.state().program == "gnome-keyring-daemon")
    }

    @Test func `without a keyring nothing is stored, and the error says what to do`() async throws {
        let keyring = try await PrivateKeyring(.withoutKeyring)
        let store = keyring.store()
        do {
            _ = try await store.read(.octocat)
            Issue.record("It read.")
        } catch {
            #expect(error.code == .unavailable)
            #expect(error.explanation.contains("keyring"))
        }
        #expect(
            await code { () throws(CredentialStoreError) in
                _ = try await store.write(Secret([1]), for: .octocat, replacing: nil)
            } == .unavailable)
        #expect(await store.state().condition == .noCollection)
    }

    @Test func `a prompt that cannot be shown counts as dismissed`() async throws {
        let keyring = try await PrivateKeyring()
        try await keyring.store().store("kept", for: .octocat)
        try await keyring.run("lock")
        #expect(await code { () throws(CredentialStoreError) in _ = try await keyring.store(Self.patient).read(.octocat) } == .dismissed)
    }

    @Test(.enabled(if: PrivateKeyring.isPossibleWithScreen, "needs xvfb, xdotool and gcr"))
    func `the user unlocks the keyring with its password`() async throws {
        let keyring = try await PrivateKeyring(withScreen: true)
        try await keyring.store().store("kept", for: .octocat)
        try await keyring.run("lock")
        async let read = keyring.store(Self.patient).read(.octocat)
        try await keyring.run("answer '\(PrivateKeyring.password)' Return")
        #expect(try await read?.text == "kept")
        #expect(try await keyring.store().read(.octocat)?.text == "kept")
    }

    @Test(.enabled(if: PrivateKeyring.isPossibleWithScreen, "needs xvfb, xdotool and gcr"))
    func `pressing Escape dismisses the prompt, and the record stays`() async throws {
        let keyring = try await PrivateKeyring(withScreen: true)
        let version = try await keyring.store().store("kept", for: .octocat)
        try await keyring.run("lock")
        let store = keyring.store(Self.patient)
        async let outcome = code { () throws(CredentialStoreError) in
            _ = try await store.write(Secret(Array("new".utf8)), for: .octocat, replacing: version)
        }
        try await keyring.run("answer '' Escape")
        #expect(await outcome == .dismissed)
        async let read = store.read(.octocat)
        try await keyring.run("answer '\(PrivateKeyring.password)' Return")
        #expect(try await read?.text == "kept")
    }

    @Test(.enabled(if: PrivateKeyring.isPossibleWithScreen, "needs xvfb, xdotool and gcr"))
    func `creates a keyring if the program may ask for one`() async throws {
        let keyring = try await PrivateKeyring(.withoutKeyring, withScreen: true)
        let store = keyring.store(Self.patient)
        async let stored = store.store("new", for: .octocat)
        try await keyring.run("answer '\(PrivateKeyring.password)' Return confirmed")
        _ = try await stored
        #expect(try await keyring.store().read(.octocat)?.text == "new")
        #expect(await keyring.store().state().condition == .ready)
    }

    @Test(.enabled(if: PrivateKeyring.isPossibleWithScreen, "needs xvfb, xdotool and gcr"))
    func `removes an unanswered prompt after a time limit`() async throws {
        let keyring = try await PrivateKeyring(withScreen: true)
        try await keyring.run("lock")
        let store = keyring.store(.allowed(waitingAtMost: .seconds(2)))
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.read(.octocat) } == .timedOut)
        try await keyring.run("until_done has_no_window")
    }

    @Test(.enabled(if: PrivateKeyring.isPossibleWithScreen, "needs xvfb, xdotool and gcr"))
    func `removes a prompt with the task that asked`() async throws {
        let keyring = try await PrivateKeyring(withScreen: true)
        try await keyring.run("lock")
        let task = Task { try await keyring.store(Self.patient).read(.octocat) }
        try await keyring.run("until_done has_window")
        task.cancel()
        #expect(await code { () throws(CredentialStoreError) in try await value(of: task) } == .cancelled)
        try await keyring.run("until_done has_no_window")
    }
}

/// The outcome of a task of the store.
func value<Success>(of task: Task<Success, any Error>) async throws(CredentialStoreError) {
    do {
        _ = try await task.value
    } catch let error as CredentialStoreError {
        throw error
    } catch {
        throw CredentialStoreError(.failed, "Not an error of a store.", underlying: error)
    }
}
