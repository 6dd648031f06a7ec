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
                .cannotReceive, "\(path) cannot be made (\(SystemCallError(code: errno))); set XDG_RUNTIME_DIR to a folder of yours")
        }
        var information = stat()
        guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFDIR, information.st_uid == geteuid(),
            information.st_mode & 0o077 == 0
        else {
            throw WebAuthenticationError(
                .cannotReceive, "\(path) is not a folder that only you can enter; remove it, or set XDG_RUNTIME_DIR to a folder of yours")
        }
    }

    /// A path that nobody uses yet, for a socket that ``publish(_:)`` makes one of ``sockets`` once connections can be made to it: until
    /// then it looks like what a dead process left.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` where it is longer than the address of a socket may be.
    func newSocket() throws(WebAuthenticationError) -> String {
        let socket = "\(path)/\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))\(Self.unfinished)"
        guard socket.utf8.count < Self.longestAddress else {
            throw WebAuthenticationError(.cannotReceive, "\(path) is too long a path for a socket; set XDG_RUNTIME_DIR to a shorter one")
        }
        return socket
    }

    /// - Returns: Where the socket is now.
    func publish(_ socket: String) throws(SystemCallError) -> String {
        let path = socket.dropLast(Self.unfinished.count) + Self.suffix
        guard rename(socket, String(path)) == 0 else { throw SystemCallError(code: errno) }
        return String(path)
    }

    /// The sockets of all sign-ins that wait, and of some that died.
    var sockets: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(Self.suffix) }.sorted().map { "\(path)/\($0)" }
    }
}
