import Synchronization

/// An exclusive lock between processes, and between users of one process, on a file that serves nothing else.
///
/// The system frees it with the process that held it, however that ended. Lock files are never removed: one who waits for the lock
/// of a removed file and one who makes the file anew would both hold "the" lock.
final class FileLock: Sendable {
    private struct State: ~Copyable {
        var file: POSIXFile?
        var isSigned = false
    }

    private let state: Mutex<State>

    private init(_ file: consuming sending POSIXFile) {
        state = Mutex(State(file: file))
    }
}

extension FileLock {
    /// Takes the lock, trying again and again rather than blocking a thread that other tasks need.
    ///
    /// A lock that is free is given to a cancelled task, too: what it came to save may be the only copy.
    ///
    /// - Parameters:
    ///   - missingFolder: Makes the folder of the file.
    ///   - tooLate: The error when the time is over; it gets the process that signed the file, where it is one of this system's.
    static func acquire(
        _ path: String,
        waitingAtMost timeout: Duration,
        missingFolder: () throws(CredentialStoreError) -> Void,
        tooLate: (Int32?) -> CredentialStoreError
    ) async throws(CredentialStoreError) -> FileLock {
        let deadline = ContinuousClock.now + timeout.boundedWait
        var pause = Duration.milliseconds(1)
        while true {
            if let lock = try attempt(path, missingFolder: missingFolder) { return lock }
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { throw tooLate(signature(path)) }
            do {
                try await Task.sleep(for: min(pause, rest))
            } catch {
                throw .cancelledWait
            }
            pause = min(pause * 2, .milliseconds(20))
        }
    }

    /// Writes into the file which process this is, for those who wait too long.
    func sign() {
        state.withLock { state in
            try? state.file?.truncate()
            try? state.file?.write(ProcessSignature.own)
            state.isSigned = true
        }
    }

    /// Frees the lock. Harmless when called again.
    func release() {
        state.withLock { state in
            if state.isSigned { try? state.file?.truncate() }
            state.file?.unlock()
            state.file = nil
        }
    }

    /// Takes the lock if it is free.
    static func attempt(
        _ path: String, missingFolder: () throws(CredentialStoreError) -> Void
    ) throws(CredentialStoreError) -> FileLock? {
        if let file = try POSIXFile.open(path, to: .lock) {
            try file.status().requirePrivateFile(path)
            return try file.tryLock() ? FileLock(file) : nil
        }
        try missingFolder()
        guard let file = try POSIXFile.open(path, to: .lock) else {
            throw CredentialStoreError(.failed, "The folder of \(path) was removed a moment ago. Try again.")
        }
        return try file.tryLock() ? FileLock(file) : nil
    }

    private static func signature(_ path: String) -> Int32? {
        guard let file = try? POSIXFile.open(path, to: .read), let bytes = try? file.read(atMost: ProcessSignature.largestSize) else {
            return nil
        }
        return ProcessSignature.process(in: bytes)
    }
}
