import AuthHubPrimitives
import Platform

/// The profiles that killed sign-ins have left behind.
///
/// A browser whose sign-in was killed stays open, because the user may be using it, and keeps its profile for as long as it runs.
enum OrphanedProfiles {
    /// The name of a profile's folder: the process that created it, and the namespace of its process ID.
    struct Name: Sendable, Hashable, CustomStringConvertible {
        /// Processes of other containers that share this folder are not visible, even if they are running.
        let namespace: UInt64
        let maker: ProcessIdentity
        let random: UInt64

        var description: String { "\(TemporaryProfile.prefix)\(namespace)-\(maker)-\(random)" }
    }

    /// Removes the profiles in the folders whose creator and whose browser have ended.
    static func remove(from folders: [String]) async {
        await withoutBlockingTasks {
            // If processes cannot be distinguished, any of the profiles may be in use.
            guard ProcessIdentity.ours != nil else { return }
            for folder in folders {
                for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                    guard let name = Name(name), !isInUse(name, in: folder) else { continue }
                    TemporaryProfile.removeSocketFolder(ofProfile: "\(folder)/\(name)")
                    try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
                }
            }
        }
    }

    private static func isInUse(_ name: Name, in folder: String) -> Bool {
        let path = "\(folder)/\(name)"
        var information = stat()
        // A folder, not a link to one, and owned by this user: the temporary folder may be shared by all users.
        guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFDIR,
            UserNamespace.current.isOurs(UInt32(information.st_uid))
        else { return true }
        guard name.namespace == namespace else { return !isOlderThanADay(information) }
        if name.maker.isRunning { return true }
        let browser = readSmallFile("\(path)/\(TemporaryProfile.browserFile)").flatMap { ProcessIdentity($0) }
        return browser?.isRunning == true || isNamedByAProcess(path)
    }

    private static func isOlderThanADay(_ information: stat) -> Bool {
        #if canImport(Darwin)
        let changed = information.st_mtimespec.tv_sec
        #else
        let changed = information.st_mtim.tv_sec
        #endif
        return time(nil) - changed > 86_400
    }

    #if canImport(Darwin)
    static let namespace: UInt64 = 0

    private static func isNamedByAProcess(_ path: String) -> Bool { false }
    #else
    /// The number of our process namespace; 0 if the system does not report it.
    static let namespace: UInt64 = {
        var bytes = [CChar](repeating: 0, count: 64)
        let count = readlink("/proc/self/ns/pid", &bytes, bytes.count)
        let digits = bytes.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }.filter(\.isASCIIDigit)
        return UInt64(String(decoding: digits, as: UTF8.self)) ?? 0
    }()

    /// Returns whether a process was started with this folder: a browser that restarted itself, or was not recorded yet when we were
    /// killed.
    private static func isNamedByAProcess(_ path: String) -> Bool {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).contains { entry in
            pid_t(entry) != nil && readSmallFile("/proc/\(entry)/cmdline")?.contains(path) == true
        }
    }
    #endif
}

extension OrphanedProfiles.Name {
    init?(_ name: String) {
        guard name.hasPrefix(TemporaryProfile.prefix) else { return nil }
        let parts = name.dropFirst(TemporaryProfile.prefix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, let namespace = UInt64(parts[0]), let maker = ProcessIdentity("\(parts[1])-\(parts[2])"),
            let random = UInt64(parts[3])
        else { return nil }
        (self.namespace, self.maker, self.random) = (namespace, maker, random)
    }
}
