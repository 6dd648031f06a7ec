import Dispatch
import Platform
import Testing
import WebAuthentication

/// A folder with shell scripts that simulate browsers, and the records of these scripts.
final class ScriptFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/authhub-browser-tests-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes an executable script.
    ///
    /// A separate process writes the file. If this process opened the file for writing, a program that another test is starting at this
    /// moment would have a copy of the descriptor until it executes, and the system does not run a file that is open for writing
    /// (`ETXTBSY`).
    ///
    /// - Returns: Its path.
    @discardableResult
    func add(_ name: String, _ body: String, interpreter: String = "#!/bin/sh\n") throws -> String {
        let script = "\(path)/\(name)"
        let write = ["sh", "-c", #"printf '%s\n' "$1" >"$2" && chmod 700 "$2""#, "sh", interpreter + body, script]
        var processID: pid_t = 0
        let code = withCStrings(write) { words in
            withCStrings(["PATH=/usr/bin:/bin"]) { posix_spawn(&processID, "/bin/sh", nil, nil, words, $0) }
        }
        try #require(code == 0)
        var status: Int32 = 0
        while waitpid(processID, &status, 0) == -1, errno == EINTR {}
        try #require(status == 0)
        return script
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    func addFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: false)
    }

    /// Creates a named pipe for a script to wait at.
    func addPipe(_ name: String) throws {
        try #require(mkfifo("\(path)/\(name)", 0o600) == 0)
    }

    /// Lets the script that waits at the pipe continue. Returns when the script has reached the pipe.
    func openPipe(_ name: String) async {
        await withCheckedContinuation { continuation in
            // Opening the pipe waits for the reader, which must not block a thread of the concurrency pool.
            DispatchQueue(label: name).async { [path] in
                let descriptor = open("\(path)/\(name)", O_WRONLY | O_CLOEXEC)
                if descriptor >= 0 { close(descriptor) }
                continuation.resume()
            }
        }
    }

    func read(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    func contains(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(path)/\(name)")
    }
}
