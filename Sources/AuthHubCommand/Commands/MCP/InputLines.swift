import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The lines of standard input, as they arrive.
enum InputLines {
    /// The maximum size of a line, in bytes.
    static let sizeLimit = 64 * 1024 * 1024

    /// Returns the lines without their ends. A line that is too long is replaced by an empty one. Empty lines are left out otherwise.
    static func stream() -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            // Reading blocks a thread until there is input.
            DispatchQueue(label: "standard input").async {
                var (line, isTooLong) = ([UInt8](), false)
                var buffer = [UInt8](repeating: 0, count: 64 * 1024)
                while true {
                    let count = read(STDIN_FILENO, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    for part in buffer[..<count].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
                        if part.offset > 0 {
                            if isTooLong || !line.isEmpty { continuation.yield(line) }
                            (line, isTooLong) = ([], false)
                        }
                        if line.count + part.element.count > sizeLimit { (line, isTooLong) = ([], true) }
                        if !isTooLong { line += part.element }
                    }
                }
                if !line.isEmpty { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
