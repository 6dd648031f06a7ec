#if os(Linux)
import AuthHubPrimitives
import Platform

/// A source that reads the kernel's tables of TCP sockets (proc(5)), if the kernel cannot be queried for one socket.
///
/// A socket of the IPv6 family can have IPv4 ends, so both tables are read.
struct SocketTable: SocketSource {
    func owner(of socket: SocketName) -> SocketOwner {
        var found = SocketOwner.unavailable
        for path in ["/proc/net/tcp", "/proc/net/tcp6"] {
            guard let owner = owner(of: socket, in: path) else { continue }
            guard owner == .missing else { return owner }
            found = .missing
        }
        return found
    }

    /// Finds the owner. Reads to the end, however long the table is: with a limit, others could push a row beyond it.
    private func owner(of socket: SocketName, in path: String) -> SocketOwner? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        var rest: [UInt8] = []
        let row = SocketRow(socket)
        while true {
            let count = retrying { read(descriptor, &buffer, buffer.count) }
            guard count >= 0 else { return .unavailable }
            guard count > 0 else { return .missing }
            rest += buffer.prefix(count)
            let lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            for line in lines.dropLast() {
                if let owner = row.owner(in: line) { return owner }
            }
            rest = lines.last.map(Array.init) ?? []
        }
    }
}
#endif

/// A search for one socket among the rows of `/proc/net/tcp` and `/proc/net/tcp6`.
struct SocketRow: Sendable {
    private let ends: [[UInt8]]

    init(_ socket: SocketName) {
        let ends = [socket.local, socket.remote]
        let mapped = Self.words([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
        self.ends = ["", mapped].map { prefix in
            let texts = ends.map { "\(prefix)\(Self.words($0.address)):\(Self.hexadecimal(UInt32($0.port), digits: 4))" }
            return Array(texts.joined(separator: " ").utf8)
        }
    }

    /// Returns the owner in a row.
    ///
    /// - Parameter line: Number, ends, state, queues, timer, retransmissions, user, timeout and inode.
    /// - Returns: nil if the row describes another socket.
    func owner(in line: some Collection<UInt8>) -> SocketOwner? {
        let fields = line.split(separator: UInt8(ascii: " "))
        guard fields.count > 9, ends.contains(where: { $0.elementsEqual(fields[1] + [UInt8(ascii: " ")] + fields[2]) }) else { return nil }
        guard let user = UInt32(String(decoding: fields[7], as: UTF8.self)), let inode = UInt64(String(decoding: fields[9], as: UTF8.self))
        else { return .unavailable }
        return SocketOwner(user: user, inode: inode)
    }

    /// Formats an address like the kernel: words of four bytes, each as a number in this machine's byte order.
    private static func words(_ bytes: [UInt8]) -> String {
        stride(from: 0, to: bytes.count, by: 4).map { start in
            hexadecimal(bytes[start..<start + 4].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }, digits: 8)
        }.joined()
    }

    private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: digits - text.count) + text
    }
}
