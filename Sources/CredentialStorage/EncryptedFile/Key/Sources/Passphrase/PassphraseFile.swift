package import AuthHubPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file, or a descriptor under `/dev/fd`, that holds a passphrase in its first line.
package struct PassphraseFile: Sendable {
    private static let largestSize = 4_096
    /// The longest wait in milliseconds.
    private static let longestWait: Int32 = 10_000
    let path: String

    package init(path: String) {
        self.path = path
    }

    /// Reads the passphrase, without the end of the line.
    ///
    /// - Throws: ``CredentialStoreError`` with `.unavailable` if there is no such file; with `.refused` if another user may have written
    ///   it, or if the line is empty or very long.
    package func passphrase() throws(CredentialStoreError) -> Secret<[UInt8]> {
        let bytes = try firstBytes()
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        let passphrase = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        guard !passphrase.isEmpty, passphrase.count <= Self.largestSize else {
            throw CredentialStoreError(
                .refused, "the first line of \(path), which should be the passphrase, is empty or longer than \(Self.largestSize) bytes")
        }
        return Secret(Array(passphrase))
    }

    /// Reads up to the end of the first line. Gives up on a pipe that delivers nothing.
    private func firstBytes() throws(CredentialStoreError) -> [UInt8] {
        let descriptor = openForReading(path)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw .systemCall("open", path) }
            throw CredentialStoreError(.unavailable, "the passphrase file \(path) does not exist; check the path")
        }
        defer { close(descriptor) }
        do {
            try FileStatus.checkSecret(descriptor, path)
        } catch {
            throw error.refusal
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 512)
        while bytes.count <= Self.largestSize + 1, !bytes.contains(UInt8(ascii: "\n")) {
            var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = retrying { poll(&interest, 1, Self.longestWait) }
            guard ready > 0 else {
                throw CredentialStoreError(.timedOut, "the passphrase file \(path) is empty")
            }
            let count = readSome(descriptor, &buffer)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count >= 0 else { throw .systemCall("read", path) }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}

private func openForReading(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }

private func readSome(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
}
