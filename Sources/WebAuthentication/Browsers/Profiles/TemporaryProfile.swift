import AuthHubPrimitives
import Platform

/// A folder for a browser's profile that only this user can access, removed after use.
///
/// Its name identifies the process that created it, and a file inside identifies the browser that uses it, so that the next sign-in can
/// recognize and remove what remains if this process was killed (``OrphanedProfiles``).
struct TemporaryProfile: Sendable {
    let path: String

    static let prefix = "authhub-browser-"
    static let browserFile = "authhub-browser-process"
    /// Three times the size of the files that a browser writes in its first minute.
    static let neededBytes: UInt64 = 96 << 20

    /// Creates a profile.
    ///
    /// - Parameters:
    ///   - folders: The possible parent folders in order of preference; the first that is writable and has enough space is used.
    ///   - neededBytes: The required space.
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`, naming each folder and its problem.
    init(in folders: [String], neededBytes: UInt64 = Self.neededBytes) throws(WebAuthenticationError) {
        let maker = ProcessIdentity.ours ?? ProcessIdentity(processID: getpid(), started: 0)
        let name = OrphanedProfiles.Name(namespace: OrphanedProfiles.namespace, maker: maker, random: .random(in: 0 ... .max))
        var failures: [String] = []
        for folder in folders {
            let path = "\(folder)/\(name)"
            if mkdir(path, 0o700) != 0 {
                failures.append("\(folder) (\(SystemCallError.last()))")
            } else if freeBytes(in: path) < neededBytes {
                failures.append("\(folder) (less than \(neededBytes >> 20) MiB are free)")
                rmdir(path)
            } else {
                self.path = path
                return
            }
        }
        throw WebAuthenticationError(
            .cannotShow,
            "the browser needs a temporary folder for the sign-in, and none could be created in \(failures.joined(separator: " or ")); "
                + "free some space, or set TMPDIR to another folder")
    }

    /// Writes a file into it, readable only by this user.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`, naming the folder.
    func write(_ text: String, to name: String) throws(WebAuthenticationError) {
        do {
            try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
        } catch {
            throw WebAuthenticationError(
                .cannotShow, "the browser's profile could not be written to \(path): \(error)", underlying: error)
        }
    }

    /// Returns whether the browser has written this file.
    func contains(_ name: String) -> Bool {
        access("\(path)/\(name)", F_OK) == 0
    }

    /// Records the process that uses it.
    func belongs(to browser: pid_t) {
        guard let browser = ProcessIdentity(of: browser) else { return }
        try? Data(browser.description.utf8).write(to: URL(filePath: "\(path)/\(Self.browserFile)"))
    }

    /// Removes the folder; retries for half a second if processes that are just ending write to it.
    func remove() async {
        await withoutBlockingTasks { [path] in
            Self.removeSocketFolder(ofProfile: path)
            for _ in 0..<20 {
                try? FileManager.default.removeItem(atPath: path)
                if !FileManager.default.fileExists(atPath: path) { return }
                usleep(25_000)
            }
        }
    }
}

extension TemporaryProfile {
    /// Removes the folder with a socket that a killed Chromium left outside its profile. It is in the temporary folder because the path of
    /// a socket must be short. A link in the profile leads to it; only files that Chromium creates there are removed.
    static func removeSocketFolder(ofProfile path: String) {
        let name = "SingletonSocket"
        guard let socket = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(path)/\(name)"), socket.hasPrefix("/"),
            socket.hasSuffix("/\(name)")
        else { return }
        let folder = String(socket.dropLast(name.count + 1))
        for file in [name, "SingletonCookie"] { unlink("\(folder)/\(file)") }
        rmdir(folder)
    }
}

private func freeBytes(in folder: String) -> UInt64 {
    var information = statvfs()
    guard statvfs(folder, &information) == 0 else { return .max }
    return UInt64(information.f_bavail) * UInt64(information.f_frsize)
}

/// Whether this process runs as root, where Chromium's sandbox does not work.
var isRoot: Bool { geteuid() == 0 }
