import Dispatch
import Synchronization

/// Reads one file from its beginning, chunk by chunk and when asked, on threads that may block. For one reader.
///
/// The file is closed at its end, at an error, and when the reader is let go.
final class FileReader: Sendable {
    /// In bytes.
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
    /// - Throws: ``LoadError`` with `.invalidRequest` where it cannot be read, or has another length than the one it had.
    static func open(_ path: String, length: Int) async throws(LoadError) -> FileReader {
        try await blocking { () throws(LoadError) in
            let file = try FileDescriptor.open(path)
            try checkLength(file, against: length)
            return FileReader(file, length: length)
        }
    }

    /// - Throws: ``LoadError`` with `.invalidRequest` where the file turns out longer or shorter, before its last bytes are handed out;
    ///   with `.cancelled`, then and for ever, where the task is cancelled.
    func next() async throws(LoadError) -> ArraySlice<UInt8>? {
        do throws(LoadError) {
            return try await blocking { () throws(LoadError) in try self.read() }
        } catch {
            // A chunk that was read for nobody would be missing from the rest.
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
        case .reading: throw LoadError(.invalidRequest, explanation: "the request body has another reader")
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

    /// The next bytes; none where all have been read.
    private func read(_ file: FileDescriptor, after sent: Int) throws(LoadError) -> ArraySlice<UInt8> {
        guard sent < length else { return [] }
        let chunk = try file.read(atMost: min(Self.chunkSize, length - sent), from: sent)
        if chunk.isEmpty || sent + chunk.count == length { try Self.checkLength(file, against: length) }
        // It has its length again, after having been shorter.
        guard !chunk.isEmpty else { throw Self.changed("was written while it was sent") }
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
        guard current == length else { throw changed(current < length ? "has become shorter" : "has become longer") }
    }

    private static func changed(_ what: String) -> LoadError {
        LoadError(.invalidRequest, explanation: "the file of the request body \(what) since the request was made")
    }
}

/// Runs what may block on a thread that may; a cancelled caller leaves at once, and the work ends for nobody.
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
