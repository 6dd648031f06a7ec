import Synchronization

/// An exclusive lock between processes, and between tasks of one process, on a file that has no other purpose.
///
/// The system frees the lock when the process that holds it ends for any reason. Lock files are never removed: otherwise, a process that
/// waits for the lock of a removed file and a process that creates the file again would both hold "the" lock.
package final class FileLock: Sendable {
    private struct State: ~Copyable {
        var file: POSIXFile?
        var isSigned = false
        /// The contents of the file when the lock was acquired, once they were requested.
        var found: [UInt8]?
        var mark: [UInt8]?
        /// Held as long as the lock, so that waiters in this process get it in the order of their requests.
        var turn: Turns<String>.Turn?
    }

    /// The system does not notify anyone when a lock is free, and a holder that acquires it again immediately would always be faster than
    /// waiters that poll. So within a process, waiters take turns by the lock's path.
    private static let turns = Turns<String>()

    /// The largest size of a mark in bytes.
    static let markSize = 64

    private let state: Mutex<State>
    /// Whether there is a mark, which outlives the lock, before the signature.
    private let isMarked: Bool

    private init(_ file: consuming sending POSIXFile, isMarked: Bool) {
        state = Mutex(State(file: file))
        self.isMarked = isMarked
    }

    /// A lock that is no longer referenced is free, for this process as for the others.
    deinit { release() }
}

extension FileLock {
    /// Acquires the lock, in the order of requests within this process; if another process holds it, by polling instead of blocking a
    /// thread that other tasks need.
    ///
    /// A free lock is given even to a cancelled task, which may be about to save the only copy of something.
    ///
    /// - Parameters:
    ///   - missingFolder: Creates the folder of the file.
    ///   - notice: Called after a wait of ``LockWait/delay``, with the same process as `tooLate`.
    ///   - tooLate: Creates the error when the time is over, from the process that signed the file, if it is a process of this system.
    package static func acquire(
        _ path: String,
        isMarked: Bool = false,
        waitingAtMost timeout: Duration,
        missingFolder: () throws(CredentialStoreError) -> Void,
        notice: ((Int32?) -> Void)? = nil,
        tooLate: (Int32?) -> CredentialStoreError
    ) async throws(CredentialStoreError) -> FileLock {
        let deadline = ContinuousClock.now + timeout.boundedWait
        guard let turn = await turns.take(path, waitingAtMost: timeout) else {
            throw Task.isCancelled ? .cancelledWait : tooLate(signature(path, isMarked: isMarked))
        }
        do throws(CredentialStoreError) {
            let lock = try await poll(
                path, isMarked: isMarked, until: deadline, missingFolder: missingFolder, notice: notice, tooLate: tooLate)
            lock.state.withLock { $0.turn = turn }
            return lock
        } catch {
            turn.end()
            throw error
        }
    }

    private static func poll(
        _ path: String,
        isMarked: Bool,
        until deadline: ContinuousClock.Instant,
        missingFolder: () throws(CredentialStoreError) -> Void,
        notice: ((Int32?) -> Void)?,
        tooLate: (Int32?) -> CredentialStoreError
    ) async throws(CredentialStoreError) -> FileLock {
        var pause = Duration.milliseconds(1)
        var notice = notice
        let noticeTime = ContinuousClock.now + LockWait.delay
        while true {
            if let lock = try attempt(path, isMarked: isMarked, missingFolder: missingFolder) { return lock }
            if notice != nil, .now >= noticeTime {
                notice?(signature(path, isMarked: isMarked))
                notice = nil
            }
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { throw tooLate(signature(path, isMarked: isMarked)) }
            do {
                try await Task.sleep(for: min(pause, rest))
            } catch {
                throw .cancelledWait
            }
            pause = min(pause * 2, .milliseconds(20))
        }
    }

    /// Writes the identity of this process to the file, for processes that wait too long.
    package func sign() {
        state.withLock { state in
            try? state.file?.write(ProcessSignature.own, at: isMarked ? Self.markSize : 0)
            state.isSigned = true
        }
    }

    /// Returns the mark that the file contained when the lock was acquired; empty if there was none.
    package func mark() -> [UInt8] {
        state.withLock { state in
            if let found = state.found { return found }
            let found = (try? state.file?.read(atMost: Self.markSize)) ?? []
            state.found = found
            return found
        }
    }

    /// Writes a mark to the file when the lock is released. Does not wait until it is durable.
    package func leave(_ mark: [UInt8]) {
        state.withLock { $0.mark = mark }
    }

    /// Releases the lock. Harmless if called again.
    package func release() {
        state.withLock { state in
            Self.clear(&state, isMarked: isMarked)
            state.file?.unlock()
            state.file = nil
            state.turn?.end()
            state.turn = nil
        }
    }

    /// Removes the signature, and writes the mark.
    private static func clear(_ state: inout State, isMarked: Bool) {
        let noSignature = [UInt8](repeating: 0, count: ProcessSignature.largestSize)
        if let mark = state.mark {
            let rest = [UInt8](repeating: 0, count: markSize - mark.count)
            try? state.file?.write(mark + rest + noSignature)
        } else if state.isSigned, isMarked {
            try? state.file?.write(noSignature, at: markSize)
        } else if state.isSigned {
            try? state.file?.truncate()
        }
    }

    /// Acquires the lock if it is free.
    static func attempt(
        _ path: String, isMarked: Bool = false, missingFolder: () throws(CredentialStoreError) -> Void
    ) throws(CredentialStoreError) -> FileLock? {
        if let file = try openOrMake(path) { return try locked(file, isMarked: isMarked) }
        try missingFolder()
        guard let file = try openOrMake(path) else {
            throw CredentialStoreError(.failed, "the folder of \(path) was removed a moment ago; try again")
        }
        return try locked(file, isMarked: isMarked)
    }

    private static func openOrMake(_ path: String) throws(CredentialStoreError) -> POSIXFile? {
        if let file = try POSIXFile.open(path, to: .lock) { return file }
        return try POSIXFile.open(path, to: .makeLock)
    }

    private static func locked(_ file: consuming sending POSIXFile, isMarked: Bool) throws(CredentialStoreError) -> FileLock? {
        try file.status().requirePrivateFile(file.path)
        return try file.tryLock() ? FileLock(file, isMarked: isMarked) : nil
    }

    private static func signature(_ path: String, isMarked: Bool) -> Int32? {
        let start = isMarked ? markSize : 0
        guard let file = try? POSIXFile.open(path, to: .read), let bytes = try? file.read(atMost: start + ProcessSignature.largestSize)
        else { return nil }
        return ProcessSignature.process(in: Array(bytes.dropFirst(start)))
    }
}
