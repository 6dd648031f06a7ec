#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Dispatch
import Testing

/// A folder with shell scripts that play browsers; what they record lies beside them.
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
    /// - Returns: Its path.
    @discardableResult
    func add(_ name: String, _ body: String, interpreter: String = "#!/bin/sh\n") throws -> String {
        let script = "\(path)/\(name)"
        try "\(interpreter)\(body)\n".write(toFile: script, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script)
        return script
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    func addFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: false)
    }

    /// Makes a named pipe for a script to wait at.
    func addPipe(_ name: String) throws {
        try #require(mkfifo("\(path)/\(name)", 0o600) == 0)
    }

    /// Lets the script that waits at the pipe go on; returns when it has come there.
    func openPipe(_ name: String) async {
        await withCheckedContinuation { continuation in
            // Opening waits for the reader, and must not keep a thread of the concurrency pool meanwhile.
            DispatchQueue(label: name).async { [path] in
                let descriptor = open("\(path)/\(name)", O_WRONLY)
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
