#if canImport(Darwin) || SECURITY_ON_LINUX
import Dispatch

/// Threads for keychain calls: each call blocks on another process, and Swift has few threads of its own.
struct KeychainCalls: Sendable {
    private static let queue = DispatchQueue(label: "AuthHub keychain", attributes: .concurrent)

    func run<Success: Sendable, Failure: Error>(
        _ call: @escaping @Sendable () throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        try await withCheckedContinuation { continuation in
            Self.queue.async { continuation.resume(returning: Result(catching: call)) }
        }.get()
    }
}
#endif
