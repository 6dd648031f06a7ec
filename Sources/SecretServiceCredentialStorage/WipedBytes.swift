import CredentialStorage

/// Bytes that are overwritten when the last reference is released. Copies that Swift made of them before are not.
final class WipedBytes: Sendable {
    nonisolated(unsafe) private(set) var value: [UInt8]  // only written by init and deinit

    init(_ value: consuming [UInt8]) {
        self.value = value
    }

    deinit {
        value.overwrite()
    }
}
