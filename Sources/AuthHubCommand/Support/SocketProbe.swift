import AuthHubPrimitives
import Dispatch
import Platform

/// Attempts to connect or listen, without sending anything.
enum SocketProbe {
    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = Int32(SOCK_STREAM)
    #endif

    private static let seconds = 5

    /// Connects to a Unix socket.
    ///
    /// - Parameter isAbstract: Whether the name is in Linux's abstract namespace.
    /// - Returns: Why there is no connection; nil if there is one.
    static func connect(to path: String, isAbstract: Bool = false) -> String? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = (isAbstract ? [0] : []) + Array(path.utf8)
        let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        guard length + name.count < MemoryLayout<sockaddr_un>.size else { return "the path is too long" }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        return withSocket(AF_UNIX) { socket in
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connects(socket, $0, socklen_t(length + name.count + (isAbstract ? 0 : 1)))
                }
            }
        }
    }

    /// Connects to a TCP port, without blocking a thread that runs tasks.
    ///
    /// - Returns: Why there is no connection; nil if there is one.
    static func connect(to host: String, port: Int) async -> String? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: connectNow(to: host, port: port)) }
        }
    }

    /// Listens at 127.0.0.1, and connects to itself.
    ///
    /// - Parameter port: The port; 0 for any.
    /// - Returns: Why that is not possible; nil if it is.
    static func listen(port: Int) -> String? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(clamping: port).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withSocket(AF_INET) { listener in
            // As in a sign-in: closed connections do not occupy the port.
            var isOn: Int32 = 1
            setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
            return withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    guard bind(listener, address, length) == 0, systemListen(listener) == 0, getsockname(listener, address, &length) == 0
                    else { return reason() }
                    return withSocket(AF_INET) { connects($0, address, length) }
                }
            }
        }
    }

    private static func connectNow(to host: String, port: Int) -> String? {
        var hints = addrinfo()
        hints.ai_socktype = stream
        var first: UnsafeMutablePointer<addrinfo>?
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        guard getaddrinfo(name, String(port), &hints, &first) == 0, let first else { return "no address was found for the host" }
        defer { freeaddrinfo(first) }
        var problem: String?
        for entry in sequence(first: first, next: { $0.pointee.ai_next }) {
            problem = withSocket(entry.pointee.ai_family) { connects($0, entry.pointee.ai_addr, entry.pointee.ai_addrlen) }
            if problem == nil { return nil }
        }
        return problem
    }

    private static func withSocket(_ family: Int32, _ use: (Int32) -> String?) -> String? {
        let socket = socket(family, stream, 0)
        guard socket >= 0 else { return reason() }
        defer { close(socket) }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        return use(socket)
    }

    private static func connects(_ socket: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t) -> String? {
        // Limits the time to connect, too (socket(7)).
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard systemConnect(socket, address, length) != 0 else { return nil }
        return errno == EINPROGRESS ? "it does not respond" : reason()
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}

private func systemConnect(_ socket: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t) -> Int32 {
    connect(socket, address, length)
}

private func systemListen(_ socket: Int32) -> Int32 { listen(socket, 1) }
