import Dispatch
import Platform

/// The lines of standard input, as they arrive.
enum InputLines {
    /// The maximum size of a line, in bytes.
    static let sizeLimit = 64 * 1024 * 1024

    enum Line: Sendable {
        case text([UInt8])
        /// A line that is too long, and the ID of its message if there is one.
        case tooLong(MessageID?)
    }

    /// Returns the lines without their ends. Empty lines are left out.
    static func stream() -> AsyncStream<Line> {
        AsyncStream { continuation in
            // Reading blocks a thread until there is input.
            DispatchQueue(label: "standard input").async {
                var (line, search) = ([UInt8](), MessageIDSearch?.none)
                func end() {
                    if let search { continuation.yield(.tooLong(search.id)) } else if !line.isEmpty { continuation.yield(.text(line)) }
                    (line, search) = ([], nil)
                }
                var buffer = [UInt8](repeating: 0, count: 64 * 1024)
                while true {
                    let count = read(STDIN_FILENO, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    for part in buffer[..<count].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
                        if part.offset > 0 { end() }
                        if search == nil, line.count + part.element.count > sizeLimit {
                            var begun = MessageIDSearch()
                            begun.accept(line)
                            (line, search) = ([], begun)
                        }
                        if search != nil { search?.accept(part.element) } else { line += part.element }
                    }
                }
                end()
                continuation.finish()
            }
        }
    }
}
