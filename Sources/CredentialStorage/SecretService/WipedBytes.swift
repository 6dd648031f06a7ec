#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Bytes that are overwritten when the last user lets go of them. Copies that Swift made of them before are not.
final class WipedBytes: Sendable {
    nonisolated(unsafe) private(set) var value: [UInt8]  // written by init and deinit alone

    init(_ value: consuming [UInt8]) {
        self.value = value
    }

    deinit {
        value.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            #if canImport(Darwin)
            memset_s(start, bytes.count, 0, bytes.count)
            #else
            explicit_bzero(start, bytes.count)
            #endif
        }
    }
}
