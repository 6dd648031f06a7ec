package import AuthHubPrimitives

/// A file, or a descriptor under `/dev/fd`, that holds a passphrase in its first line.
package struct PassphraseFile: Sendable {
    private static let largestSize = 4_096
    let path: String

    package init(path: String) {
        self.path = path
    }

    /// Reads the passphrase, without the end of the line.
    ///
    /// - Throws: ``CredentialStoreError`` with `.unavailable` if there is no such file; with `.refused` if another user may have written
    ///   it, or if the line is empty or very long; with `.timedOut` if nothing is written to a pipe.
    package func passphrase() throws(CredentialStoreError) -> Secret<[UInt8]> {
        let bytes = try SecretFile.bytes(of: path, beyond: Self.largestSize + 1) { $0.contains(UInt8(ascii: "\n")) }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        let passphrase = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        guard !passphrase.isEmpty, passphrase.count <= Self.largestSize else {
            throw CredentialStoreError(
                .refused, "the first line of \(path), which should be the passphrase, is empty or longer than \(Self.largestSize) bytes")
        }
        return Secret(Array(passphrase))
    }
}
