import Platform

/// A socket that accepts connections but never responds.
final class StoppedSignIn: Sendable {
    struct CannotListen: Error {
        let code: Int32
    }

    private let descriptor: Int32

    init(_ path: String) throws {
        #if canImport(Glibc)
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
        descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { bind(descriptor, $0.baseAddress, size) }
        }
        guard result == 0, listen(descriptor, 8) == 0 else { throw CannotListen(code: errno) }
    }

    deinit { close(descriptor) }

    /// Waits until a client has connected.
    func untilAsked() async {
        var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&interest, 1, 0) == 0 { await Task.yield() }
    }
}
