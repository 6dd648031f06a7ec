import AuthHubPrimitives
import Platform

/// Returns a port of 127.0.0.1 for servers that accept only the registered port. The port is free, and outside the range that the system
/// assigns automatically. It is returned only once in this process, so that no concurrent test gets it, even while no one listens on it.
package func quietPort() throws -> UInt16 {
    for _ in 0..<100 {
        let port = UInt16.random(in: 10_000..<32_000)
        if QuietPorts.returned.withLock({ $0.insert(port).inserted }), canBeBound(port) { return port }
    }
    throw NoQuietPort()
}

private struct NoQuietPort: Error {}

private enum QuietPorts {
    static let returned = StaticMutex<Set<UInt16>>([])
}

/// Returns whether a port is free, without listening on it: a program that another test starts at this moment has a copy of the socket
/// until it executes, and would keep a listening port occupied for that time.
private func canBeBound(_ port: UInt16) -> Bool {
    #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var isReused: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeBytes(of: &address) { bytes in
        bytes.withMemoryRebound(to: sockaddr.self) { bind(descriptor, $0.baseAddress, size) }
    } == 0
}
