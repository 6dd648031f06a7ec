import AuthHubPrimitives
import CredentialStorage
import Platform

/// The turn of one of several processes to ask the user to sign in. The others wait, and then use the result.
///
/// Programs that start the tool do not coordinate its processes: git opens a page for each of many submodules otherwise, and so does each
/// of several hosts that start `mcp proxy` for the same server.
struct PromptTurn: Sendable {
    private let lock: FileLock
    private let now: @Sendable () -> Date
    /// Whether another process had the turn before.
    let hasWaited: Bool

    /// For how long a user is not asked again.
    private static let memory: TimeInterval = 30
    /// How much longer than its own sign-in may take a process waits for another one.
    private static let margin = Duration.seconds(30)

    /// Waits for the sign-ins of other processes.
    ///
    /// - Parameters:
    ///   - purpose: What the sign-in is for. Only processes with the same purpose wait for each other.
    ///   - timeout: How long the user may take to sign in.
    ///   - notice: Called once if another process is asking the user, with its ID if that is known.
    /// - Throws: ``Failure`` if another process takes too long, or the task is cancelled.
    static func begin(
        for purpose: String, timeout: Duration = .seconds(BrowserRequest.defaultTimeout), margin: Duration = margin,
        now: @escaping @Sendable () -> Date = { Date() },
        notice: ((Int32?) -> Void)? = nil
    ) async throws(Failure) -> Self {
        let longestWait = timeout + margin
        var hasWaited = false
        do throws(CredentialStoreError) {
            let folder = try ToolStore(nil).folder
            let lock = try await FileLock.acquire(
                "\(folder)/sign-in-\(name(of: purpose))", isMarked: true, waitingAtMost: longestWait,
                missingFolder: { () throws(CredentialStoreError) in try FileSystem.makeFolders(folder) },
                notice: { process in
                    hasWaited = true
                    notice?(process)
                },
                tooLate: { process in
                    let holder = process.map { "process \($0)" } ?? "another process"
                    return CredentialStoreError(
                        .leaseHeld, "\(holder) has been signing in for more than \(longestWait.inWords)", leaseHolder: process)
                })
            lock.sign()
            return Self(lock: lock, now: now, hasWaited: hasWaited)
        } catch {
            throw Failure(error)
        }
    }

    /// Whether the user has just declined to sign in, or a sign-in has failed, in this process or another.
    var wasDeclined: Bool {
        let digits = lock.mark().prefix { $0 != 0 }
        guard let time = Int64(String(decoding: digits, as: UTF8.self)) else { return false }
        return (0..<Self.memory).contains(now().timeIntervalSince1970 - TimeInterval(time))
    }

    /// Ends the turn. Harmless if called again.
    ///
    /// - Parameter isDeclined: Whether the user has declined, or the sign-in has failed; nil if it is not known.
    func end(isDeclined: Bool? = nil) {
        if let isDeclined { lock.leave(isDeclined ? Array(String(Int64(now().timeIntervalSince1970)).utf8) : []) }
        lock.release()
    }

    /// Forgets that the user has declined, unless another process has the turn.
    static func forgetDecline(for purpose: String) async {
        guard let folder = try? ToolStore(nil).folder,
            FileManager.default.fileExists(atPath: "\(folder)/sign-in-\(name(of: purpose))"),
            let turn = try? await begin(for: purpose, timeout: .zero, margin: .zero)
        else { return }
        turn.end(isDeclined: false)
    }

    /// A file name of limited length.
    private static func name(of purpose: String) -> String {
        Base64URL.encode(CredentialAccount(server: "authhub:prompts", clientID: "authhub", label: purpose).id.bytes)
    }
}
