import Dispatch
import Platform

/// Resolves host names with the system's resolver.
enum HostAddresses {
    /// Runs in a separate thread, because the system's resolver may block for a long time.
    @Sendable
    static func ofSystem(_ host: String) async -> [String] {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { continuation.resume(returning: resolve(host)) }
        }
    }

    private static func resolve(_ host: String) -> [String] {
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, nil, &first) == 0, let first else { return [] }
        defer { freeaddrinfo(first) }
        return sequence(first: first) { $0.pointee.ai_next }.compactMap { entry in
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let info = entry.pointee
            guard getnameinfo(info.ai_addr, info.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else { return nil }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
