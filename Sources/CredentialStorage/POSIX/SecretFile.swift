package import AuthHubPrimitives
import Platform

/// Reads a file with a secret that the user or the environment names. It may be a pipe, a link, or a descriptor under `/dev/fd`.
package enum SecretFile {
    private static let lineLimit = 64 * 1024

    /// Returns the only line of the file, without a byte order mark, and without white space and line breaks at its ends.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - patience: The longest wait for the next bytes of a pipe, in milliseconds.
    /// - Throws: ``CredentialStoreError``: with `.unavailable` if there is no such file; with `.refused` if another user may have written
    ///   it, or if it contains anything but one line; with `.timedOut` after waiting; with `.cancelled` if the task is cancelled.
    package static func line(in path: String, patience: Int32 = 10_000) throws(CredentialStoreError) -> Secret<String> {
        let bytes = try bytes(of: path, beyond: lineLimit, patience: patience)
        guard bytes.count <= lineLimit else {
            throw CredentialStoreError(.refused, "\(path) is larger than \(lineLimit) bytes; check the path")
        }
        guard let line = String(validating: bytes, as: UTF8.self)?.withoutPasteRemnants, !line.isEmpty, !line.contains(where: \.isNewline)
        else { throw CredentialStoreError(.refused, "\(path) does not contain one line of text; store only the secret in it") }
        return Secret(line)
    }

    /// Reads to the end, at least one byte beyond the limit, or until the bytes suffice. Does not wait for the writer of a pipe when opening
    /// it.
    static func bytes(
        of path: String, beyond limit: Int, patience: Int32 = 10_000, until suffices: ([UInt8]) -> Bool = { _ in false }
    ) throws(CredentialStoreError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw .systemCall("open", path) }
            throw CredentialStoreError(.unavailable, "\(path) does not exist; check the path")
        }
        defer { close(descriptor) }
        do {
            try FileStatus.checkSecret(descriptor, path)
        } catch {
            throw error.refusal
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit, !suffices(bytes) {
            try wait(for: descriptor, path, patience)
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count >= 0 else { throw .systemCall("read", path) }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Returns when there is something to read, or at the end.
    private static func wait(for descriptor: Int32, _ path: String, _ patience: Int32) throws(CredentialStoreError) {
        var (interest, rest) = (pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), patience)
        repeat {
            guard !Task.isCancelled else { throw CredentialStoreError(.cancelled, "the wait for \(path) was cancelled") }
            let count = poll(&interest, 1, min(rest, step))
            if count > 0 { return }
            guard count == 0 || errno == EINTR else { throw .systemCall("poll", path) }
            rest -= step
        } while rest > 0
        throw CredentialStoreError(.timedOut, "\(path) is a pipe whose writer does not finish; check the path")
    }

    private static let step: Int32 = 100
}
