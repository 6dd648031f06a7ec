import Dispatch

#if canImport(Glibc)
import AuthHubPrimitives
import Glibc

/// A server on loopback that receives one request, and runs a closure before it responds, while the client is waiting.
final class OneRequestServer: Sendable {
    let port: UInt16
    private let listener: Int32

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 1) == 0 && getsockname(listener, address, &length) == 0
            }
        }
        guard isBound else { throw SystemCallError.last("bind") }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(listener) }

    /// Returns the head of the request, and what the closure has seen before the response was sent.
    func request<Seen: Sendable>(
        answering answer: String = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok",
        _ look: @escaping @Sendable () -> Seen
    ) async -> (head: String, seen: Seen) {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "server \(port)").async { [self] in
                let connection = accept(listener, nil, nil)
                var head: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 4096)
                while head.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
                    let count = read(connection, &buffer, buffer.count)
                    guard count > 0 else { break }
                    head += buffer[..<count]
                }
                let seen = look()
                let response = Array(answer.utf8)
                // The client may have ended.
                _ = send(connection, response, response.count, Int32(MSG_NOSIGNAL))
                close(connection)
                continuation.resume(returning: (String(decoding: head, as: UTF8.self), seen))
            }
        }
    }
}
#endif
