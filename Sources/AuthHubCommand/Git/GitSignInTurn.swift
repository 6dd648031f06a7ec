import AuthHubPrimitives
import CredentialStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The turn of one of several git processes to sign in to an account. The others wait, and then use the result.
///
/// git does not coordinate its helpers: a fetch of many submodules would open a page for each.
struct GitSignInTurn: Sendable {
    private let lock: FileLock
    private let now: Date

    /// For how long a user who has declined is not asked again.
    private static let memory: TimeInterval = 30
    /// Longer than a sign-in may take.
    private static let longestWait = Duration.seconds(330)

    /// Waits for the sign-ins of other processes.
    ///
    /// - Throws: ``Failure`` if another process takes too long, or the task is cancelled.
    static func begin(_ label: String, now: @Sendable () -> Date = { Date() }) async throws(Failure) -> Self {
        do throws(CredentialStoreError) {
            let folder = try ToolStore(nil).folder
            let lock = try await FileLock.acquire(
                "\(folder)/git-sign-in-\(Base64URL.encode(Array(label.utf8)))", isMarked: true, waitingAtMost: longestWait,
                missingFolder: { () throws(CredentialStoreError) in try FileSystem.makeFolders(folder) },
                tooLate: { process in
                    let holder = process.map { "process \($0)" } ?? "another process"
                    return CredentialStoreError(
                        .leaseHeld, "\(holder) has been signing in for more than \(longestWait.inWords)", leaseHolder: process)
                })
            lock.sign()
            return Self(lock: lock, now: now())
        } catch {
            throw Failure(error)
        }
    }

    /// Whether the user has just declined to sign in, in this process or another.
    var wasDeclined: Bool {
        let digits = lock.mark().prefix { $0 != 0 }
        guard let time = Int64(String(decoding: digits, as: UTF8.self)) else { return false }
        return (0..<Self.memory).contains(now.timeIntervalSince1970 - TimeInterval(time))
    }

    /// Ends the turn. Harmless if called again.
    ///
    /// - Parameter isDeclined: Whether the user has declined; nil if it is not known.
    func end(isDeclined: Bool? = nil) {
        if let isDeclined { lock.leave(isDeclined ? Array(String(Int64(now.timeIntervalSince1970)).utf8) : []) }
        lock.release()
    }
}
