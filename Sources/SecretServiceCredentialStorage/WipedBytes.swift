import CredentialStorage

/// Bytes that are overwritten when the last user lets go of them. Copies that Swift made of them before are not.
final class WipedBytes: Sendable {
    nonisolated(unsafe) private(set) var value: [UInt8]  // written by init and deinit alone

    init(_ value: consuming [UInt8]) {
        self.value = value
    }

    deinit {
        value.overwrite()
    }
}
