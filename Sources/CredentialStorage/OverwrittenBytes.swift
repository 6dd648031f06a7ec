import Platform

extension [UInt8] {
    /// Overwrites the bytes of a secret that is no longer needed. Other copies do not change.
    package mutating func overwrite() {
        withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            #if canImport(Darwin)
            _ = memset_s(start, buffer.count, 0, buffer.count)
            #else
            explicit_bzero(start, buffer.count)
            #endif
        }
    }
}
