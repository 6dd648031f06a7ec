import AuthHubPrimitives

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
import NIOCore
import NIOPosix

/// Where a browser of our own delivers the URLs of one scheme, although that scheme is registered nowhere.
///
/// Browsers hand what they cannot show themselves to `xdg-open`, found by `PATH`. The one found first by this browser is a script in its
/// own profile: it leaves a URL of our scheme in a file beside it and a note in a named pipe, and drops everything else, so that no page
/// can start a program. For the moment that the script runs, others on this machine can see the URL among its arguments.
final class SchemeInbox: Sendable {
    private let channel: any Channel

    /// Puts the scripts into the profile and begins to listen.
    ///
    /// - Parameters:
    ///   - scheme: In lower case.
    ///   - receive: Gets each URL, on an event loop.
    static func open(in profile: TemporaryProfile, scheme: String, receive: @escaping @Sendable (String) -> Void) async throws
        -> SchemeInbox
    {
        let folder = folder(of: profile)
        try makeFolder(folder)
        for (name, body) in scripts(scheme) {
            try "#!/bin/sh\n\(body)\n".write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
            guard chmod("\(folder)/\(name)", 0o700) == 0 else { throw SystemCallError.last() }
            // Fails where programs may not be started from the file system.
            guard access("\(folder)/\(name)", X_OK) == 0 else { throw SystemCallError.last() }
        }
        guard mkfifo("\(folder)/\(notes)", 0o600) == 0 else { throw SystemCallError.last() }
        // For writing too, so that the pipe does not end with its first writer.
        let descriptor = Self.open("\(folder)/\(notes)", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemCallError.last() }
        do {
            let channel = try await NIOPipeBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            FramedInput(
                                MessageFraming(end: UInt8(ascii: "\n"), maximumBytes: maximumNoteBytes),
                                receive: { piece in
                                    if let url = url(of: piece, in: folder) { receive(url) }
                                }))
                    }
                }
                .takingOwnershipOfDescriptor(input: descriptor).get()
            return SchemeInbox(channel)
        } catch {
            _ = Self.close(descriptor)
            throw error
        }
    }

    private init(_ channel: any Channel) {
        self.channel = channel
    }

    /// The environment with which a browser finds the scripts.
    static func environment(_ profile: TemporaryProfile, inheriting environment: [String: String]) -> [String: String] {
        ["PATH": "\(folder(of: profile)):\(environment.nonEmpty("PATH") ?? "/usr/local/bin:/usr/bin:/bin")"]
    }

    /// The script that takes the URLs, for browsers that are told which program to start.
    static func program(in profile: TemporaryProfile) -> String { "\(folder(of: profile))/xdg-open" }

    func close() async {
        try? await channel.close().get()
    }

    private static let notes = "notes"
    /// A note is the number of a process.
    private static let maximumNoteBytes = 20

    private static func folder(of profile: TemporaryProfile) -> String { "\(profile.path)/authhub" }

    private static func makeFolder(_ path: String) throws(SystemCallError) {
        // A colon would end the folder's name in `PATH`, and the system's `xdg-open` be found instead.
        guard !path.contains(":") else { throw SystemCallError(number: EINVAL) }
        guard mkdir(path, 0o700) == 0 else { throw SystemCallError.last() }
    }

    /// Under the names a browser uses. `xdg-settings` and `xdg-mime` say that there is no program for anything: nobody is asked.
    private static func scripts(_ scheme: String) -> [(name: String, body: String)] {
        [
            (
                "xdg-open",
                """
                case "$1" in '\(scheme):'*) ;; *) exit 3 ;; esac
                [ ${#1} -le \(CallbackAddress.maximumBytes) ] || exit 3
                umask 077
                here="${0%/*}"
                printf %s "$1" > "$here/$$" && echo $$ 1<> "$here/\(notes)"
                """
            ),
            ("xdg-email", "exit 3"),
            ("xdg-settings", "echo no"),
            ("xdg-mime", "exit 0"),
        ]
    }

    private static func url(of note: MessageFraming.Piece, in folder: String) -> String? {
        guard case .message(let bytes) = note, !bytes.isEmpty, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let path = "\(folder)/\(String(decoding: bytes, as: UTF8.self))"
        defer { _ = unlink(path) }
        var information = stat()
        guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG, information.st_size <= CallbackAddress.maximumBytes
        else { return nil }
        return try? String(contentsOfFile: path, encoding: .utf8)
    }

    private static func open(_ path: String, _ flags: Int32) -> Int32 { openDescriptor(path, flags) }
    private static func close(_ descriptor: Int32) -> Int32 { closeDescriptor(descriptor) }
}

private func openDescriptor(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
