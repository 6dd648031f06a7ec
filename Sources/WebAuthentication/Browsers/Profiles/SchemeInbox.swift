import AuthHubPrimitives
import Platform

import NIOCore
import NIOPosix

/// The inbox to which a separate browser process delivers the URLs of one scheme, which is not registered anywhere.
///
/// Browsers pass URLs that they cannot show to `xdg-open`, which they find by `PATH`. This browser first finds a script in its own profile:
/// the script writes a URL of our scheme to a file and a note to a named pipe, and drops everything else, so that no page can start a
/// program. While the script runs, others on this machine can see the URL among its arguments.
final class SchemeInbox: Sendable {
    private let channel: any Channel

    /// Writes the scripts to the profile, and starts to listen for URLs.
    ///
    /// - Parameters:
    ///   - scheme: The scheme in lower case.
    ///   - receive: Called with each URL, on an event loop.
    static func open(in profile: TemporaryProfile, scheme: String, receive: @escaping @Sendable (String) -> Void) async throws
        -> SchemeInbox
    {
        let folder = folder(of: profile)
        try makeFolder(folder)
        for (name, body) in scripts(scheme) {
            try "#!/bin/sh\n\(body)\n".write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
            guard chmod("\(folder)/\(name)", 0o700) == 0 else { throw SystemCallError.last() }
            // Fails if the file system does not allow programs to be executed.
            guard access("\(folder)/\(name)", X_OK) == 0 else { throw SystemCallError.last() }
        }
        guard mkfifo("\(folder)/\(notes)", 0o600) == 0 else { throw SystemCallError.last() }
        // Open the pipe for writing, too; otherwise, it would reach its end as soon as the first writer closes it.
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

    /// Returns the environment with which a browser finds the scripts.
    static func environment(_ profile: TemporaryProfile, inheriting environment: [String: String]) -> [String: String] {
        ["PATH": "\(folder(of: profile)):\(environment.nonEmpty("PATH") ?? "/usr/local/bin:/usr/bin:/bin")"]
    }

    /// Returns the script that receives the URLs, for browsers that are configured with a program.
    static func program(in profile: TemporaryProfile) -> String { "\(folder(of: profile))/xdg-open" }

    func close() async {
        try? await channel.close().get()
    }

    private static let notes = "notes"
    /// A note is a process ID.
    private static let maximumNoteBytes = 20

    private static func folder(of profile: TemporaryProfile) -> String { "\(profile.path)/authhub" }

    private static func makeFolder(_ path: String) throws(SystemCallError) {
        // A colon would end the folder's name in `PATH`, and the system's `xdg-open` would be found instead.
        guard !path.contains(":") else { throw SystemCallError(number: EINVAL) }
        guard mkdir(path, 0o700) == 0 else { throw SystemCallError.last() }
    }

    /// Returns the scripts with the names a browser uses. `xdg-settings` and `xdg-mime` report that no program is registered, so the user
    /// is not asked.
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
