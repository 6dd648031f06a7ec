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
import AuthHubPrimitives

/// Where sign-ins wait for callbacks of custom schemes: a socket for each, in a folder that only this user can enter.
struct CallbackFolder: Sendable {
    let path: String

    private static let suffix = ".callback"
    private static let unfinished = ".starting"
    /// What the address of a Unix-domain socket holds, its final zero included, where it is least.
    private static let longestAddress = 104

    /// Makes the folder where it is missing.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` where it cannot be made, or belongs to someone else or is open to others.
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

    /// Changing `XDG_RUNTIME_DIR` would not help: the desktop starts the handler of a scheme with the variable that it has itself.
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

    /// A path that nobody uses yet, for a socket that ``publish(_:)`` makes one of ``sockets`` once connections can be made to it: until
    /// then it looks like what a dead process left.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` where it is longer than the address of a socket may be.
    func newSocket() throws(WebAuthenticationError) -> String {
        let socket = "\(path)/\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))\(Self.unfinished)"
        guard socket.utf8.count < Self.longestAddress else {
            throw WebAuthenticationError(
                .cannotReceive, "\(path) is too long for a socket; set a shorter XDG_RUNTIME_DIR in the desktop session")
        }
        return socket
    }

    /// - Returns: Where the socket is now.
    func publish(_ socket: String) throws(SystemCallError) -> String {
        let path = socket.dropLast(Self.unfinished.count) + Self.suffix
        guard rename(socket, String(path)) == 0 else { throw SystemCallError.last() }
        return String(path)
    }

    /// The sockets of all sign-ins that wait, and of some that died.
    var sockets: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(Self.suffix) }.sorted().map { "\(path)/\($0)" }
    }
}
