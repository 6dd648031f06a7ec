import Dispatch
import ModelContextProxy
import Platform

/// The lines of standard input, as they arrive.
enum InputLines {
    static func stream() -> AsyncStream<HostLine> {
        AsyncStream { continuation in
            // Reading blocks a thread until there is input.
            DispatchQueue(label: "standard input").async {
                var (lines, buffer) = (HostLines(), [UInt8](repeating: 0, count: 64 * 1024))
                while true {
                    let count = read(STDIN_FILENO, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    for line in lines.accept(buffer[..<count]) { continuation.yield(line) }
                }
                if let line = lines.end() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
