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

/// A folder for a browser's profile that only this user can enter, removed after use.
///
/// The name holds the number of the process that made it and a file inside that of the browser, so that what was left behind when
/// both were killed can be told apart and removed by the next sign-in.
struct TemporaryProfile: Sendable {
    let path: String

    private static let prefix = "authhub-browser-"
    private static let processFile = "browser-process"

    init(environment: [String: String]) throws(SystemCallError) {
        let folder = environment.nonEmpty("XDG_RUNTIME_DIR") ?? environment.nonEmpty("TMPDIR") ?? "/tmp"
        Self.sweep(folder)
        path = "\(folder)/\(Self.prefix)\(getpid())-\(UInt64.random(in: 0 ... .max))"
        guard mkdir(path, 0o700) == 0 else { throw SystemCallError(code: errno) }
    }

    /// Variables that keep the browser from writing elsewhere.
    var environment: [String: String] {
        ["BREAKPAD_DUMP_LOCATION": "\(path)/crashes", "CHROME_CONFIG_HOME": "\(path)/config", "GSETTINGS_BACKEND": "memory"]
    }

    /// Notes which process uses it.
    func belongs(to processID: pid_t) {
        try? Data(String(processID).utf8).write(to: URL(filePath: "\(path)/\(Self.processFile)"))
    }

    /// Removes the folder; tried again where a process that is just ending has put something into it meanwhile.
    func remove() {
        for _ in 0..<10 {
            try? FileManager.default.removeItem(atPath: path)
            if !FileManager.default.fileExists(atPath: path) { return }
        }
    }

    private static func sweep(_ folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let path = "\(folder)/\(name)"
            guard isOurFolder(path), let maker = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }), !isAlive(maker) else { continue }
            let browser = (try? String(contentsOfFile: "\(path)/\(processFile)", encoding: .utf8)).flatMap { pid_t($0) }
            if browser.map(isAlive) != true { try? FileManager.default.removeItem(atPath: path) }
        }
    }

    /// A folder, not a link to one, and owned by this user: the temporary folder may be everyone's.
    private static func isOurFolder(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR && information.st_uid == geteuid()
    }

    private static func isAlive(_ processID: pid_t) -> Bool {
        processID > 0 && (kill(processID, 0) == 0 || errno == EPERM)
    }
}

/// Whether this process runs as root, where Chromium's sandbox does not work.
var isRoot: Bool { geteuid() == 0 }
