import NIOCore

/// A TCP socket over IPv4, identified by its two ends, as in the kernel.
struct SocketName: Sendable, Hashable {
    struct End: Sendable, Hashable {
        /// The four bytes, in network byte order.
        var address: [UInt8]
        var port: UInt16

        /// The remote end of a listening socket.
        static let none = Self(address: [0, 0, 0, 0], port: 0)
    }

    var local: End
    var remote: End
}

extension SocketName.End {
    /// Creates an end; nil for any other kind of address.
    init?(_ address: SocketAddress?) {
        guard let address, let port = address.port.flatMap({ UInt16(exactly: $0) }) else { return nil }
        let bytes = (address.ipAddress ?? "").split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
        guard case .v4 = address, bytes.count == 4 else { return nil }
        (self.address, self.port) = (bytes, port)
    }
}
