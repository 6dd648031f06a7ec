#if os(Linux)
import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Platform
@testable import CredentialStorageTests
import Testing

/// Checks the kernel's keyring with the system's own command, keyctl.
@Suite(.enabled(if: KernelKeyringCache.obstacle == nil, "the system forbids the kernel's keyring, as containers often do"))
struct KeyctlTests {
    @Test(.enabled(if: access("/usr/bin/keyctl", X_OK) == 0, "keyctl is not installed; Scripts/test installs it"))
    func `keyctl shows the key with its timeout, and permissions for its user only`() throws {
        let folder = try TemporaryFolder()
        let source = ChangingKey()
        let cache = KernelKeyringCache(source, lifetime: .seconds(90))
        let key = try #require(try cache.key(creatingIfMissing: false)).reveal()
        let name = KernelKeyringCache.name(StoreKeyFingerprint(of: Secret(key)))
        // A separate session keyring without a link to the user keyring, as many services and remote logins have.
        let seen = try shell(
            """
            keyctl session - sh -c '
                exec 2>/dev/null
                keyctl show @s | grep -c "_uid\\." || true
                id=$(keyctl search @u user "\(name)") && keyctl rdescribe "$id" && keyctl pipe "$id" > \(folder.path)/key
                grep "\(name)" /proc/keys' 2>/dev/null
            """, in: folder)
        let lines = seen.split(separator: "\n").map(String.init)
        #expect(lines.first == "0", "\(seen)")
        #expect(lines.dropFirst().first?.hasPrefix("user;\(getuid());") == true, "\(seen)")
        #expect(lines.dropFirst().first?.contains(";3f3f0000;\(name)") == true, "\(seen)")
        let expiry = lines.last.map { $0.split(separator: " ", omittingEmptySubsequences: true) }?.dropFirst(3).first
        #expect(expiry == "1m" || expiry == "89s" || expiry == "90s", "\(seen)")
        #expect(try contents(of: "\(folder.path)/key") == key)
        try cache.forget()
        #expect(try shell("keyctl search @u user '\(name)' 2>&1; true", in: folder).contains("not available"))
    }
}

/// The output of a shell command.
private func shell(_ script: String, in folder: TemporaryFolder) throws -> String {
    let (input, output) = ("\(folder.path)/script", "\(folder.path)/output")
    try write(Array(script.utf8), to: input)
    var process: pid_t = 0
    let line: [String] = ["/bin/sh", "-c", "exec /bin/sh \(input) > \(output) 2>&1"]
    let words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    try check(posix_spawn(&process, "/bin/sh", nil, nil, words, environ), "posix_spawn", "/bin/sh")
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return String(decoding: try contents(of: output), as: UTF8.self)
}
#endif
