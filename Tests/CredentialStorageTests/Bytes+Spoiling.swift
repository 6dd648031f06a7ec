import Crypto

extension [UInt8] {
    func replacing(_ offset: Int, with byte: UInt8) -> Self {
        var bytes = self
        bytes[offset] = byte
        return bytes
    }

    func contains(subsequence other: Self) -> Bool {
        indices.contains { self[$0...].starts(with: other) }
    }

    /// Appends the checksum that ends files sealed with a passphrase.
    var withSum: Self { self + Array(SHA256.hash(data: self)) }
}
