#if os(Linux)
import AuthHubPrimitives
import Platform

import Synchronization

/// A source that queries one socket by its two ends, over a netlink socket (sock_diag(7)): a single lookup in the kernel's hash table,
/// however many sockets there are.
///
/// The descriptor is opened once, so that no one can prevent later queries by using up all descriptors.
final class SocketDiagnosis: SocketSource {
    private let descriptor: Int32
    private let lastNumber = Mutex(UInt32(0))

    /// Opens the netlink socket; nil if the system has no such sockets, or does not let us use them.
    init?() {
        descriptor = socket(Netlink.family, Netlink.rawSocket, Netlink.socketDiagnosis)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    func owner(of name: SocketName) -> SocketOwner {
        lastNumber.withLock { number in
            number &+= 1
            let question = DiagnosisMessage.question(about: name, number: number)
            guard send(descriptor, question, question.count, Int32(MSG_DONTWAIT)) == question.count else { return .unavailable }
            // The kernel responds before `send` returns.
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = retrying { recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)) }
                guard count > 0 else { return .unavailable }
                if let owner = DiagnosisMessage.owner(in: bytes.prefix(count), about: name, number: number) { return owner }
            }
        }
    }

    private enum Netlink {
        static let family = Int32(16)
        static let socketDiagnosis = Int32(4)
        static let rawSocket = Int32(3 | 0o2000000)  // SOCK_RAW | SOCK_CLOEXEC
    }
}
#endif

/// The messages of sock_diag(7), as bytes: `nlmsghdr`, then `inet_diag_req_v2` in the query and `inet_diag_msg` or an error number in the
/// response.
enum DiagnosisMessage {
    static func question(about name: SocketName, number: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendNative(UInt32(72))
        bytes.appendNative(socketByFamily)
        bytes.appendNative(UInt16(1))  // NLM_F_REQUEST, without NLM_F_DUMP: one socket
        bytes.appendNative(number)
        bytes.appendNative(UInt32(0))
        bytes += [internet, tcp, 0, 0]
        bytes.appendNative(UInt32.max)  // every state
        for port in [name.local.port, name.remote.port] { bytes += [UInt8(port >> 8), UInt8(port & 0xFF)] }
        for end in [name.local, name.remote] { bytes += end.address + [UInt8](repeating: 0, count: 12) }
        bytes.appendNative(UInt32(0))  // any interface
        bytes.appendNative(UInt64.max)  // no cookie
        return bytes
    }

    /// Returns the owner in a response.
    ///
    /// - Returns: nil for the response to another query.
    static func owner(in message: some Collection<UInt8>, about name: SocketName, number: UInt32) -> SocketOwner? {
        let bytes = Array(message)
        guard let kind = bytes.native(UInt16.self, at: 4), bytes.native(UInt32.self, at: 8) == number else { return nil }
        switch kind {
        case socketByFamily:
            guard let user = bytes.native(UInt32.self, at: 80), let inode = bytes.native(UInt32.self, at: 84) else { return .unavailable }
            // If the connection is gone, the kernel may return the listener at its port instead, which has no remote end.
            let ports = bytes[20..<24].elementsEqual(question(about: name, number: number)[24..<28])
            return ports ? SocketOwner(user: user, inode: UInt64(inode)) : .missing
        case error: return bytes.native(Int32.self, at: 16) == -2 ? .missing : .unavailable
        default: return .unavailable
        }
    }

    private static let socketByFamily = UInt16(20)
    private static let error = UInt16(2)
    private static let internet = UInt8(2)
    private static let tcp = UInt8(6)
}

extension [UInt8] {
    fileprivate mutating func appendNative(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value) { append(contentsOf: $0) }
    }

    fileprivate func native<Value: FixedWidthInteger & BitwiseCopyable>(_: Value.Type, at offset: Int) -> Value? {
        guard count >= offset + MemoryLayout<Value>.size else { return nil }
        return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
    }
}
