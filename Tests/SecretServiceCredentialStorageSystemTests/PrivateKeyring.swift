import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Platform
import SecretServiceCredentialStorage
import Dispatch

/// A real GNOME Keyring on a separate message bus and with a separate home folder.
final class PrivateKeyring: Sendable {
    enum Beginning: String {
        /// A keyring exists and is unlocked with a password.
        case unlocked = "start_bus && start_unlocked"
        /// The service is running, but there is no keyring.
        case withoutKeyring = "start_bus && start_locked"
        /// The bus does not provide the service.
        case withoutService = "start_bus"
        case withoutBus = "true"
    }

    /// The keyring's password.
    static let password = "correct horse"
    static let service = "com.example.tests"

    let folder: String
    private let descriptor: Int32
    private let process: pid_t
    private let queue = DispatchQueue(label: "private keyring")

    init(_ beginning: Beginning = .unlocked, withScreen: Bool = false) async throws {
        // Use a short path, because the length of a socket's path is limited.
        folder = "/tmp/keyring-\(Base64URL.encode(randomBytes(count: 9)))"
        try check(mkdir(folder, 0o700), "mkdir", folder)
        (process, descriptor) = try startShell(keyringScript, folder)
        if withScreen { try await run("start_screen") }
        try await run(beginning.rawValue)
    }

    deinit {
        // The keyring's shell then ends all other processes.
        close(descriptor)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }

    var address: String { "unix:path=\(folder)/run/bus" }
    var locks: String { "\(folder)/run/locks" }

    /// Runs a command in the keyring's shell, and throws an error if it fails.
    @discardableResult
    func run(_ command: String) async throws -> String {
        let outcome = try await outcome(of: command)
        guard outcome.status == 0 else { throw TestFailure("\(command): status \(outcome.status), \(outcome.text)") }
        return outcome.text
    }

    /// Does the same as ``run(_:)``, but blocks the calling thread.
    func runNow(_ command: String) throws {
        let outcome = try queue.sync { try exchange(command, over: descriptor) }
        guard outcome.status == 0 else { throw TestFailure("\(command): status \(outcome.status), \(outcome.text)") }
    }

    func outcome(of command: String) async throws -> (status: Int32, text: String) {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [descriptor] in
                continuation.resume(with: Result { try exchange(command, over: descriptor) })
            }
        }
    }
}

extension PrivateKeyring {
    static let isPossible = ["dbus-daemon", "gnome-keyring-daemon", "gdbus", "secret-tool"].allSatisfy(isInstalled)
    static let isPossibleWithScreen = isPossible && ["Xvfb", "xdotool"].allSatisfy(isInstalled) && exists("/usr/libexec/gcr-prompter")

    /// A keyring for all tests that do not change it.
    static let shared = Task { try await PrivateKeyring() }

    private static func isInstalled(_ program: String) -> Bool { exists("/usr/bin/\(program)") }

    static func parts(_ address: String) -> SecretServiceParts {
        var parts = SecretServiceParts()
        parts.busAddress = address
        // Long enough for a busy machine. Tests of this limit set their own.
        parts.callLimit = .seconds(120)
        return parts
    }

    func store(
        _ prompting: SecretServicePrompting = .never, callLimit: Duration = .seconds(120),
        collection: SecretServiceCollection = .default, service: String = service,
        reached: @escaping SecretServiceStepHook = { _ in }
    ) -> SecretServiceStore {
        var parts = Self.parts(address)
        parts.callLimit = callLimit
        return SecretServiceStore(
            service: service, locks: "\(locks)/\(service)", collection: collection, prompting: prompting, parts: parts, reached: reached)
    }
}

private func startShell(_ script: String, _ argument: String) throws -> (pid_t, Int32) {
    var ends: [Int32] = [0, 0]
    #if canImport(Darwin)
    try check(socketpair(AF_UNIX, SOCK_STREAM, 0, &ends), "socketpair", "")
    #else
    try check(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends), "socketpair", "")
    #endif
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }
    // The threads of Dispatch block signals, and the programs would inherit that.
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    #if !canImport(Darwin)
    for descriptor in STDERR_FILENO + 1..<1_024 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    #endif
    let words = ["bash", "--norc", "-c", script, "keyring", argument]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { (word: String) in strdup(word) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=/usr/local/bin:/usr/bin:/bin"), nil]
    defer { for text in arguments + environment { free(text) } }
    var process: pid_t = 0
    let outcome = posix_spawn(&process, "/bin/bash", &actions, &attributes, &arguments, &environment)
    close(ends[1])
    guard outcome == 0 else {
        close(ends[0])
        throw TestFailure("posix_spawn: \(String(cString: strerror(outcome)))")
    }
    return (process, ends[0])
}

private func exchange(_ command: String, over descriptor: Int32) throws -> (status: Int32, text: String) {
    let line = Array("\(command)\n".utf8)
    guard send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else { throw TestFailure("The keyring's shell is gone.") }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while answer.last != UInt8(ascii: "\n") {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { throw TestFailure("The keyring's shell ended in the middle of \(command).") }
        answer += buffer[..<count]
    }
    let words = String(decoding: answer.dropLast(), as: UTF8.self).split(separator: " ")
    guard let status = words.first.flatMap({ Int32($0) }) else { throw TestFailure("The keyring's shell says \(words).") }
    let encoded = words.dropFirst().first.map(String.init) ?? ""
    return (status, String(decoding: Base64URL.decode(encoded) ?? [], as: UTF8.self))
}
