import NIOCore

/// A TCP socket over IPv4 by its two ends, as the kernel tells sockets apart.
struct SocketName: Sendable, Hashable {
    struct End: Sendable, Hashable {
        /// The four bytes, in the order of the network.
        var address: [UInt8]
        var port: UInt16

        /// What the far end of a listening socket is.
        static let none = Self(address: [0, 0, 0, 0], port: 0)
    }

    var local: End
    var remote: End
}

extension SocketName.End {
    /// nil for any other kind of address.
    init?(_ address: SocketAddress?) {
        guard let address, let port = address.port.flatMap({ UInt16(exactly: $0) }) else { return nil }
        let bytes = (address.ipAddress ?? "").split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
        guard case .v4 = address, bytes.count == 4 else { return nil }
        (self.address, self.port) = (bytes, port)
    }
}
