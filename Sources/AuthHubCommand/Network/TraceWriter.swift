import Dispatch
import Synchronization

/// Masks and writes the messages of a trace on a separate thread, in the order in which they were added.
final class TraceWriter: Sendable {
    private struct Backlog {
        /// The number of messages that are not written yet.
        var count = 0
        /// The number of messages that were left out since the last one that was added.
        var omitted = 0
    }

    /// The number of messages that may wait to be written. Any others are left out, so that they do not fill the memory.
    static let longestQueue = 1000
    /// The longest wait of an interrupted command for the reader.
    static let patience = DispatchTimeInterval.seconds(1)

    private let write: @Sendable (String) -> Void
    private let queue = DispatchQueue(label: "trace")
    private let mask = Mutex(TraceMask())
    private let backlog = Mutex(Backlog())

    init(_ write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    /// Adds a message. Does not wait.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of each line.
    ///   - lines: Returns the lines.
    func add(_ prefix: String, lines: @escaping @Sendable (inout TraceMask) -> [String]) {
        let omitted: Int? = backlog.withLock { backlog in
            guard backlog.count < Self.longestQueue else {
                backlog.omitted += 1
                return nil
            }
            defer { backlog.omitted = 0 }
            backlog.count += 1
            return backlog.omitted
        }
        guard let omitted else { return }
        queue.async { [self] in
            let text = mask.withLock { mask in
                let lines = lines(&mask)
                return lines.map { "\(prefix) \(mask.clean($0))\n" }.joined()
            }
            write(Self.note(omitted) + text)
            backlog.withLock { $0.count -= 1 }
        }
    }

    /// Returns when everything is written. If the task is cancelled, waits no longer than ``patience``.
    func finish() async {
        let (written, end) = AsyncStream.makeStream(of: Never.self)
        queue.async { [self] in
            let omitted = backlog.withLock { backlog in
                defer { backlog.omitted = 0 }
                return backlog.omitted
            }
            if omitted > 0 { write(Self.note(omitted)) }
            end.finish()
        }
        await withTaskCancellationHandler {
            // A separate task, because a sequence ends at once in a cancelled one.
            await Task { for await _ in written {} }.value
        } onCancel: {
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { end.finish() }
        }
    }

    private static func note(_ omitted: Int) -> String {
        omitted > 0 ? "* \(omitted) messages were left out, because the trace was read too slowly\n" : ""
    }
}
