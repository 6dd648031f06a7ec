import AuthHubPrimitives
import Platform

/// The program that the user's desktop starts for URLs with a custom scheme (RFC 8252 §7.1), on Linux and similar systems.
///
/// Registration changes only files in the user's own folders: a `.desktop` file in `$XDG_DATA_HOME/applications`, and a line in
/// `$XDG_CONFIG_HOME/mimeapps.list`. Any other program can claim the same scheme later (RFC 8252 §8.6), which ``status()`` reports. Apple
/// systems need no handler, because the authentication session receives the callback.
public struct CustomSchemeHandler: Sendable {
    /// The program that is registered for a scheme.
    public enum Status: Sendable, Hashable {
        case notRegistered
        /// The system starts this command, with the callback as its last argument.
        case registered(command: [String])
        /// Another program handles the scheme. The value is the name of its `.desktop` file.
        case claimed(by: String)
        /// The handler is registered, but its program no longer exists. The value is the path of the program.
        case programMissing(String)
    }

    /// The scheme without its colon, such as `com.example.app`.
    public let scheme: String
    private let environment: [String: String]

    /// Creates a handler for a scheme.
    ///
    /// - Parameters:
    ///   - scheme: The scheme without its colon.
    ///   - environment: The environment variables that determine the user's folders; if nil, those of this process.
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` if the scheme is not a valid custom scheme.
    public init(scheme: String, environment: [String: String]? = nil) throws(WebAuthenticationError) {
        _ = try CallbackAddress(.customScheme(scheme))
        self.scheme = scheme.lowercased()
        self.environment = environment ?? processEnvironment()
    }

    /// A known problem with the scheme on some systems, as text for the user; nil if there is none.
    public var caution: String? {
        guard scheme.utf8.contains(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return "the scheme contains a digit; without a desktop session, xdg-open before version 1.2 treats such URLs as file names"
    }

    /// Registers a command as the handler of the scheme. It replaces the previous handler.
    ///
    /// - Parameters:
    ///   - command: An absolute path and arguments. The system appends the callback, which the command must pass to ``CallbackDelivery``.
    ///   - name: The name that users see if the system asks which program to open.
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` if the command is not valid, or a file cannot be written; the explanation
    ///   names the file.
    public func register(command: [String], name: String) throws(WebAuthenticationError) {
        guard let program = command.first, program.hasPrefix("/"), !program.contains("="), !command.contains(where: Self.hasControls) else {
            throw WebAuthenticationError(
                .cannotReceive, "a handler must be an absolute path without “=” and control characters, followed by its arguments")
        }
        let folder = try applications
        try write(DesktopEntry(scheme: scheme, name: name, command: command).text, to: "\(folder)/\(fileName)")
        try changeDefaults { $0.setHandler(fileName, of: scheme) }
        updateDatabase(of: folder)
    }

    /// Removes the handler if it was registered with ``register(command:name:)``. Handlers of other programs are not changed.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` if a file cannot be changed; the explanation names the file.
    public func unregister() throws(WebAuthenticationError) {
        let folder = try applications
        if unlink("\(folder)/\(fileName)") != 0, errno != ENOENT {
            throw Self.failure("\(folder)/\(fileName)", SystemCallError.last())
        }
        try changeDefaults { defaults in
            if defaults.handler(of: scheme) == fileName { defaults.setHandler(nil, of: scheme) }
        }
        updateDatabase(of: folder)
    }

    /// Returns which program currently handles the scheme.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` if the user's folders are unknown.
    public func status() throws(WebAuthenticationError) -> Status {
        let text = try? String(contentsOfFile: "\(try applications)/\(fileName)", encoding: .utf8)
        let handler = try readDefaults().handler(of: scheme)
        if let handler, handler != fileName { return .claimed(by: handler) }
        guard let command = text.flatMap(DesktopEntry.command), let program = command.first else { return .notRegistered }
        return access(program, X_OK) == 0 ? .registered(command: command) : .programMissing(program)
    }
}

extension CustomSchemeHandler {
    /// Returns the schemes that have a handler registered by ``register(command:name:)``.
    package static func schemes(environment: [String: String]? = nil) -> [String] {
        guard let folder = try? applications(environment ?? processEnvironment()) else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let around = DesktopEntry.fileName(scheme: "\n").split(separator: "\n")
        return names.filter { $0.hasPrefix(around[0]) && $0.hasSuffix(around[1]) }
            .map { String($0.dropFirst(around[0].count).dropLast(around[1].count)) }
            // Not every file with such a name was written by this type.
            .filter { (try? CallbackAddress(.customScheme($0))) != nil }.sorted()
    }

    private static func hasControls(_ text: String) -> Bool { text.utf8.contains { $0 < 0x20 || $0 == 0x7F } }

    private var fileName: String { DesktopEntry.fileName(scheme: scheme) }

    private var applications: String {
        get throws(WebAuthenticationError) { try Self.applications(environment) }
    }

    private static func applications(_ environment: [String: String]) throws(WebAuthenticationError) -> String {
        "\(try folder(environment, "XDG_DATA_HOME", ".local/share"))/applications"
    }

    private var defaultsFile: String {
        get throws(WebAuthenticationError) { "\(try Self.folder(environment, "XDG_CONFIG_HOME", ".config"))/mimeapps.list" }
    }

    private static func folder(
        _ environment: [String: String], _ name: String, _ inHome: String
    ) throws(WebAuthenticationError) -> String {
        if let folder = environment.nonEmpty(name), folder.hasPrefix("/") { return folder }
        guard let home = environment.nonEmpty("HOME"), home.hasPrefix("/") else {
            throw WebAuthenticationError(.cannotReceive, "the home folder is not known; set HOME or \(name) to an absolute path")
        }
        return "\(home)/\(inHome)"
    }

    private func readDefaults() throws(WebAuthenticationError) -> DefaultApplications {
        let file = try defaultsFile
        guard FileManager.default.fileExists(atPath: file) else { return DefaultApplications("") }
        do {
            return DefaultApplications(try String(contentsOfFile: file, encoding: .utf8))
        } catch {
            throw WebAuthenticationError(.cannotReceive, "\(file) cannot be read; it was not changed", underlying: error)
        }
    }

    private func changeDefaults(_ change: (inout DefaultApplications) -> Void) throws(WebAuthenticationError) {
        let file = try defaultsFile
        let lock = FolderLock(URL(filePath: file).deletingLastPathComponent().path)
        defer { lock?.release() }
        let old = try readDefaults()
        var new = old
        change(&new)
        if new != old { try write(new.text, to: file) }
    }

    /// Writes a file atomically. Follows symbolic links, which some users have there, and replaces their targets.
    private func write(_ text: String, to path: String) throws(WebAuthenticationError) {
        do {
            let file = URL(filePath: path).resolvingSymlinksInPath()
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file, options: .atomic)
        } catch {
            throw Self.failure(path, error)
        }
    }

    private static func failure(_ path: String, _ error: any Error) -> WebAuthenticationError {
        WebAuthenticationError(.cannotReceive, "\(path) cannot be written (\(error)); make it writable by you", underlying: error)
    }

    /// Updates the database by which `gio open` finds handlers; without the program that creates it, `gio open` finds the line in
    /// `mimeapps.list`.
    private func updateDatabase(of folder: String) {
        guard let path = environment.findProgram("update-desktop-database") else { return }
        _ = try? BrowserProcess(path: path, arguments: [path, folder], environment: environment)
    }
}

/// A lock that keeps concurrent registrations of this kind from overwriting each other's change. Other programs do not use a lock for that
/// list.
private struct FolderLock {
    private let descriptor: Int32

    /// Locks a folder; nil if it is missing or cannot be locked.
    init?(_ folder: String) {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        // Not forever: a process that holds it that long is stuck, and the change is one line.
        var attempts = 100
        while attempts > 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            usleep(20_000)
            attempts -= 1
        }
    }

    func release() { close(descriptor) }
}
