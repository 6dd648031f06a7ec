import AuthHubPrimitives
import Platform
@testable import CredentialStorage
import CredentialStorageTestSupport
import Synchronization
import Testing

/// Who may write and read a file with a secret that the user or the environment names.
struct SecretFileTests {
    enum Owner: Sendable {
        case user, root, other
    }

    enum Verdict: Sendable, Hashable {
        case accepted
        case warned
        case rejected(String)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: mode_t
        let owner: Owner
        let mode: mode_t
        let isReadOnly: Bool
        let verdict: Verdict

        init(
            _ description: String, _ mode: mode_t, _ verdict: Verdict, kind: mode_t = S_IFREG, owner: Owner = .user,
            isReadOnly: Bool = false
        ) {
            testDescription = description
            (self.kind, self.owner, self.mode, self.isReadOnly, self.verdict) = (kind, owner, mode, isReadOnly, verdict)
        }
    }

    private static let writable = Verdict.rejected("chmod 600 '/a b'")
    private static let foreign = Verdict.rejected("chown")

    @Test(arguments: [
        Row("only for the user", 0o600, .accepted),
        Row("only for the user, and read-only", 0o400, .accepted),
        Row("executable by others, which reads nothing", 0o711, .accepted),
        Row("readable by the group", 0o640, .warned),
        Row("readable by everyone", 0o604, .warned),
        Row("readable by everyone, on a read-only file system", 0o444, .accepted, isReadOnly: true),
        Row("writable by the group", 0o620, writable),
        Row("writable by everyone", 0o602, writable),
        Row("writable by everyone, with the sticky bit", 0o1666, writable),
        Row("writable by everyone, on a file system that is read-only here", 0o666, writable, isReadOnly: true),
        Row("of root, readable by everyone, such as a container's secret", 0o644, .accepted, owner: .root),
        Row("of root, writable by its group", 0o660, writable, owner: .root),
        Row("of another user, who alone may read it", 0o600, foreign, owner: .other),
        Row("of another user, readable by everyone", 0o444, foreign, owner: .other),
        Row("a pipe", 0o600, .accepted, kind: S_IFIFO),
        Row("a pipe of another user, such as the caller of sudo", 0o600, .accepted, kind: S_IFIFO, owner: .other),
        Row("a named pipe that everyone may read", 0o644, .accepted, kind: S_IFIFO),
        Row("a named pipe that everyone may write to", 0o666, writable, kind: S_IFIFO),
        Row("a terminal", 0o666, .accepted, kind: S_IFCHR, owner: .root),
        Row("a terminal of another user", 0o620, .accepted, kind: S_IFCHR, owner: .other),
    ])
    func `a secret that another user may have written is rejected, and one that others may read leads to a warning`(row: Row) throws {
        var status = stat()
        status.st_mode = row.kind | row.mode
        status.st_uid = row.owner == .user ? geteuid() : row.owner == .root ? 0 : geteuid() + 1
        let file = FileStatus(status, isReadOnly: row.isReadOnly)
        // All users are in it. If root runs the test, its files are only root's in a namespace without it.
        let isOnlyRoots = row.owner == .root && geteuid() == 0
        let namespace = UserNamespace(map: isOnlyRoots ? "0 1000 1" : "0 0 \(UInt32.max)", overflowID: "0")
        switch row.verdict {
        case .accepted: #expect(try file.secretWarning("/a b", in: namespace) == nil)
        case .warned:
            let warning = try #require(try file.secretWarning("/a b", in: namespace))
            #expect(warning.problem.contains("other users may read /a b (mode \(String(row.mode, radix: 8)))"), "\(warning)")
            #expect(warning.advice.hasSuffix("chmod 600 '/a b'"))
        case .rejected(let command):
            let problem = #expect(throws: FileProblem.self) { try file.secretWarning("/a b", in: namespace) }
            #expect(problem?.problem.contains("/a b") == true && problem?.advice.contains(command) == true, "\(problem as Any)")
        }
    }

    @Test func `a file of the user is rejected if the user ID stands for other users, too`() throws {
        let user = geteuid()
        guard user != 0 else { return }
        var status = stat()
        (status.st_mode, status.st_uid) = (S_IFREG | 0o600, user)
        let namespace = UserNamespace(map: "\(user) 1000 1", overflowID: "\(user)")
        let problem = #expect(throws: FileProblem.self) { try FileStatus(status).secretWarning("/file", in: namespace) }
        #expect(problem?.advice.contains("represents every user") == true)
    }

    @Test func `the file that is open is checked, even if its name has another one by then`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/secret"
        try write([1], to: path)
        try #require(chmod(path, 0o666) == 0)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        try #require(unlink(path) == 0)
        try write([1], to: path)
        try #require(chmod(path, 0o600) == 0)
        #expect(throws: FileProblem.self) { try FileStatus.checkSecret(descriptor, path) }
    }

    @Test func `reports each warning once, on the threads of blocking calls, too`() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/passphrase"
        try write(Array("correct horse\n".utf8), to: path)
        try #require(chmod(path, 0o644) == 0)
        let warnings = Mutex<[String]>([])
        try await SecretFileWarnings.$current.withValue(SecretFileWarnings { text in warnings.withLock { $0.append(text) } }) {
            for _ in 1...2 {
                let passphrase = try await BlockingCalls(named: "test", concurrent: false).run { () throws(CredentialStoreError) in
                    try PassphraseFile(path: path).passphrase()
                }
                #expect(passphrase.reveal() == Array("correct horse".utf8))
            }
        }
        #expect(warnings.withLock { $0 } == ["other users may read \(path) (mode 644); run: chmod 600 \(path.shellWord)"])
    }

    @Test func `a passphrase file that others may write to is rejected, and a link to one that they may not is read`() throws {
        let folder = try TemporaryFolder()
        let (path, link) = ("\(folder.path)/passphrase", "\(folder.path)/link")
        try write(Array("correct horse".utf8), to: path)
        try #require(symlink(path, link) == 0)
        #expect(try PassphraseFile(path: link).passphrase().reveal() == Array("correct horse".utf8))
        try #require(chmod(path, 0o622) == 0)
        let error = #expect(throws: CredentialStoreError.self) { try PassphraseFile(path: link).passphrase() }
        #expect(error?.code == .refused && error?.explanation.hasSuffix("chmod 600 \(link.shellWord)") == true, "\(error as Any)")
    }
}
