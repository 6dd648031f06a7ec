import Dispatch
import Synchronization

/// Reads a file from start to end, in chunks and on demand, on threads that may block. A reader has a single caller.
///
/// The file is closed at its end, after an error, and when the reader is deallocated.
final class FileReader: Sendable {
    /// The size of a chunk, in bytes.
    static let chunkSize = 64 * 1024

    private enum State {
        case idle(FileDescriptor, sent: Int)
        case reading
        case ended
        case failed(LoadError)
    }

    private typealias Outcome = Result<ArraySlice<UInt8>?, LoadError>

    private let length: Int
    private let state: Mutex<State>

    private init(_ file: FileDescriptor, length: Int) {
        self.length = length
        state = Mutex(.idle(file, sent: 0))
    }

    /// Opens a file.
    ///
    /// - Throws: ``LoadError`` with `.invalidRequest` if the file cannot be read or its length has changed.
    static func open(_ path: String, length: Int) async throws(LoadError) -> FileReader {
        try await blocking { () throws(LoadError) in
            let file = try FileDescriptor.open(path)
            try checkLength(file, against: length)
            return FileReader(file, length: length)
        }
    }

    /// Reads the next chunk.
    ///
    /// - Throws: ``LoadError`` with `.invalidRequest` if the file is longer or shorter than expected, before the last bytes are returned;
    ///   with `.cancelled` if the task is cancelled, then and for all later calls.
    func next() async throws(LoadError) -> ArraySlice<UInt8>? {
        do throws(LoadError) {
            return try await blocking { () throws(LoadError) in try self.read() }
        } catch {
            // Stop for good: the next read would otherwise skip the chunk that the cancelled caller never received.
            let former = end(.failed(error))
            _ = consume former
            throw error
        }
    }

    private func read() throws(LoadError) -> ArraySlice<UInt8>? {
        let given = state.withLock { state in
            defer { if case .idle = state { state = .reading } }
            return state
        }
        switch given {
        case .ended: return nil
        case .failed(let error): throw error
        case .reading: throw LoadError(.invalidRequest, explanation: "the request body already has a reader")
        case .idle(let file, let sent):
            let chunk = try read(file, after: sent)
            let isLast = sent + chunk.count == length
            state.withLock { state in
                guard case .reading = state else { return }
                state = isLast && chunk.isEmpty ? .ended : .idle(file, sent: sent + chunk.count)
            }
            return chunk.isEmpty ? nil : chunk
        }
    }

    /// Returns the next bytes, or an empty slice if all have been read.
    private func read(_ file: FileDescriptor, after sent: Int) throws(LoadError) -> ArraySlice<UInt8> {
        guard sent < length else { return [] }
        let chunk = try file.read(atMost: min(Self.chunkSize, length - sent), from: sent)
        if chunk.isEmpty || sent + chunk.count == length { try Self.checkLength(file, against: length) }
        // The file was shorter in between and has its original length again.
        guard !chunk.isEmpty else { throw Self.changed("was modified while it was being sent") }
        return chunk[...]
    }

    private func end(_ end: State) -> State {
        state.withLock { state in
            defer { if case .failed = state {} else { state = end } }
            return state
        }
    }

    private static func checkLength(_ file: FileDescriptor, against length: Int) throws(LoadError) {
        let current = try file.length()
        guard current == length else { throw changed(current < length ? "became shorter" : "became longer") }
    }

    private static func changed(_ what: String) -> LoadError {
        LoadError(.invalidRequest, explanation: "the request body's file \(what) after the request was created")
    }
}

/// Runs blocking work on a thread that may block. A cancelled caller returns immediately, and the result of the work is dropped.
private func blocking<Success: Sendable>(
    _ work: @escaping @Sendable () throws(LoadError) -> Success
) async throws(LoadError) -> Success {
    guard !Task.isCancelled else { throw LoadError(.cancelled) }
    let waiter = Waiter<Result<Success, LoadError>>()
    DispatchQueue.global(qos: .utility).async {
        let result: Result<Success, LoadError>
        do throws(LoadError) {
            result = .success(try work())
        } catch {
            result = .failure(error)
        }
        waiter.settle(result)
    }
    return try await waiter.wait(orIfCancelled: .failure(LoadError(.cancelled))).get()
}
