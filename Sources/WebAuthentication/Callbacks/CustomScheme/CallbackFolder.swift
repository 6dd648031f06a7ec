import AuthHubPrimitives
import Platform

/// The folder in which sign-ins wait for callbacks of custom schemes, with a socket for each. Only this user can access it.
struct CallbackFolder: Sendable {
    let path: String

    private static let suffix = ".callback"
    private static let unfinished = ".starting"
    /// The smallest limit of any system for the address of a Unix-domain socket, including its final zero.
    private static let longestAddress = 104

    /// Opens the folder, and creates it if it is missing.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` if it cannot be created, or belongs to another user or has permissions
    ///   for others.
    init(environment: [String: String] = processEnvironment()) throws(WebAuthenticationError) {
        if let runtime = environment.nonEmpty("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") {
            path = "\(runtime)/authhub"
        } else {
            path = "\(environment.nonEmpty("TMPDIR") ?? "/tmp")/authhub-\(geteuid())"
        }
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw WebAuthenticationError(
                .cannotReceive,
                "\(path), where sign-ins wait for callbacks, cannot be created (\(SystemCallError.last())); "
                    + "its parent folder must exist and be writable by you")
        }
        var information = stat()
        guard lstat(path, &information) == 0 else {
            throw WebAuthenticationError(.cannotReceive, "\(path) cannot be used (\(SystemCallError.last())); try again")
        }
        if let problem = Self.problem(of: path, information) {
            throw WebAuthenticationError(.cannotReceive, "\(path) is not a folder that only you can access: \(problem)")
        }
    }

    /// Returns the problem of a folder. Changing `XDG_RUNTIME_DIR` would not help: the desktop starts the handler of a scheme with its own
    /// value.
    static func problem(of path: String, _ information: stat, in namespace: UserNamespace = .current) -> String? {
        guard information.st_mode & S_IFMT == S_IFDIR else {
            return "it is not a folder; run: mv \(path.shellWord) \("\(path).old".shellWord)"
        }
        let owner = UInt32(information.st_uid)
        guard namespace.isOurs(owner) else {
            return namespace.doubt(about: owner)
                ?? "it belongs to user \(owner); that user or root must remove it: rmdir \(path.shellWord)"
        }
        return information.st_mode & 0o077 == 0 ? nil : "run: chmod 700 \(path.shellWord)"
    }

    /// Returns an unused path for a socket. ``publish(_:)`` adds it to ``sockets`` once it accepts connections: until then it would look
    /// like the socket of a dead process.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` if the path is too long for the address of a socket.
    func newSocket() throws(WebAuthenticationError) -> String {
        let socket = "\(path)/\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))\(Self.unfinished)"
        guard socket.utf8.count < Self.longestAddress else {
            throw WebAuthenticationError(
                .cannotReceive, "\(path) is too long for a socket; set a shorter XDG_RUNTIME_DIR in the desktop session")
        }
        return socket
    }

    /// Publishes a socket.
    ///
    /// - Returns: The new path of the socket.
    func publish(_ socket: String) throws(SystemCallError) -> String {
        let path = socket.dropLast(Self.unfinished.count) + Self.suffix
        guard rename(socket, String(path)) == 0 else { throw SystemCallError.last() }
        return String(path)
    }

    /// The sockets of all waiting sign-ins, and of some that died.
    var sockets: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(Self.suffix) }.sorted().map { "\(path)/\($0)" }
    }
}
