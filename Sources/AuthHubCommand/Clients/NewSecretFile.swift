import AuthHubPrimitives
import Platform

/// A new file for a secret, which only its owner can read.
enum NewSecretFile {
    /// Writes a secret to a new file.
    ///
    /// - Throws: ``Failure`` if the file exists already, or cannot be written.
    static func write(_ secret: Secret<String>, to path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw cannot(path) }
        defer { close(descriptor) }
        let bytes = Array((secret.reveal() + "\n").utf8)
        guard StandardStreams.write(bytes, to: descriptor) == nil else { throw cannot(path) }
    }

    private static func cannot(_ path: String) -> Failure {
        .usage("\(path) cannot be written: \(String(cString: strerror(errno)))", hint: "name a file that does not exist yet")
    }
}
