import AuthHubPrimitives
import CredentialStorage
import Platform

/// A file that the user names, or standard input for `-`.
enum InputFile {
    private static let secretLimit = 64 * 1024

    /// Reads a secret from a source that, unlike an argument, others cannot see.
    ///
    /// - Parameter name: The name of the secret in messages.
    /// - Returns: The text without a byte order mark, and without white space and line breaks at its ends.
    static func secret(in path: String, called name: String = "secret") throws(Failure) -> Secret<String> {
        try line(in: path, called: name) { $0.withoutPasteRemnants }
    }

    /// Reads a passphrase or a password, in which white space counts.
    ///
    /// - Parameter name: The name of the passphrase in messages.
    /// - Returns: The text without the line breaks at its end.
    static func passphrase(in path: String, called name: String = "passphrase") throws(Failure) -> Secret<String> {
        try line(in: path, called: name) { text in
            String(text.reversed().drop { $0.isNewline }.reversed())
        }
    }

    private static func line(
        in path: String, called name: String, stripped: (String) -> String
    ) throws(Failure) -> Secret<String> {
        let place = path == "-" ? "standard input" : path
        let hint = path == "-" ? "write only the \(name) to standard input" : "name a file that contains only the \(name)"
        let text: String?
        if path == "-", isatty(STDIN_FILENO) == 1 {
            text = try typedSecret(name).reveal()
        } else {
            text = String(validating: try secretContents(of: path, limit: secretLimit), as: UTF8.self)
        }
        guard let line = text.map(stripped) else { throw .usage("\(place) is not UTF-8 text", hint: hint) }
        guard !line.isEmpty, !line.contains(where: \.isNewline) else {
            throw .usage(
                line.isEmpty ? "\(place) is empty, so there is no \(name)" : "\(place) has several lines instead of only the \(name)",
                hint: hint)
        }
        return Secret(line)
    }

    private static func typedSecret(_ name: String) throws(Failure) -> Secret<String> {
        guard RawTerminal() != nil else {
            throw .usage(
                "this terminal cannot hide input, because another session controls it", hint: "name a file that contains the \(name)")
        }
        guard let secret = HiddenLine.read("Type or paste the \(name), then press Return") else {
            guard HiddenLine.interruption.isSet else {
                throw .usage("no \(name) was entered", hint: "run the same command again, or name a file that contains the \(name)")
            }
            throw .interrupted
        }
        HiddenLine.finish()
        return secret
    }

    /// Returns the absolute path of the file, for programs with another working folder.
    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return "\(String(cString: folder))/\(path)"
    }

    /// Reads a line that the user types on standard input, visibly.
    static func line() throws(Failure) -> String {
        var bytes: [UInt8] = []
        var byte: [UInt8] = [0]
        while bytes.count < 4096 {
            try waitForBytes(STDIN_FILENO)
            guard systemRead(STDIN_FILENO, &byte) == 1, byte[0] != UInt8(ascii: "\n") else { break }
            bytes += byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Reads a file with a secret that no other user may have written; warns if others may read it. Standard input is not checked.
    static func secretContents(of path: String, limit: Int) throws(Failure) -> [UInt8] {
        try contents(of: path, limit: limit) { descriptor throws(FileProblem) in try FileStatus.checkSecret(descriptor, path) }
    }

    /// Reads a file that determines where secrets are sent. Rejects it if all users may write to it. Standard input is not checked.
    static func trustedContents(of path: String, limit: Int) throws(Failure) -> [UInt8] {
        try contents(of: path, limit: limit) { descriptor throws(FileProblem) in try FileStatus.checkTrusted(descriptor, path) }
    }

    /// Reads all bytes; more than the limit are rejected. Does not wait for the writer of a FIFO when opening it, because Ctrl-C would not
    /// end that wait.
    ///
    /// - Parameter check: Checks the open file before it is read; not called for standard input.
    static func contents(
        of path: String, limit: Int, check: (_ descriptor: Int32) throws(FileProblem) -> Void = { _ in }
    ) throws(Failure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw .usage(
                "\(path) cannot be read: \(String(cString: strerror(errno)))", hint: "name a readable file, or - for standard input"
            )
        }
        defer { if path != "-" { close(descriptor) } }
        do throws(FileProblem) {
            if path != "-" { try check(descriptor) }
        } catch {
            throw .usage(error.problem, hint: error.advice)
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            try waitForBytes(descriptor)
            let count = systemRead(descriptor, &buffer)
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR || errno == EAGAIN { continue }
                throw .usage("\(path) cannot be read: \(String(cString: strerror(errno)))", hint: "name a readable file")
            }
            bytes += buffer[..<count]
            guard bytes.count <= limit else {
                throw .usage("\(path) is larger than \(limit) bytes", hint: "name a smaller file")
            }
        }
    }

    /// Returns when there is something to read, or at the end. A blocking read would not notice Ctrl-C.
    private static func waitForBytes(_ descriptor: Int32) throws(Failure) {
        var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            // A question during a sign-in is asked by a task that is never cancelled.
            guard !Task.isCancelled, !HiddenLine.interruption.isSet else { throw .interrupted }
            let count = poll(&interest, 1, 100)
            if count > 0 || (count < 0 && errno != EINTR) { return }
        }
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
}
