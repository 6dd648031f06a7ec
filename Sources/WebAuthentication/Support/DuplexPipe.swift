import AuthHubPrimitives
import Platform

/// A pipe in each direction between this process and a child process; every end is closed on exec.
struct DuplexPipe: Sendable {
    struct Ends: Sendable {
        let input: Int32
        let output: Int32

        func close() {
            closeDescriptor(input)
            closeDescriptor(output)
        }
    }

    let ours: Ends
    /// The ends for ``BrowserProcess`` to pass on, which must be closed here afterwards.
    let theirs: Ends

    init() throws(SystemCallError) {
        let toThem = try Self.pipe()
        let toUs: Ends
        do throws(SystemCallError) {
            toUs = try Self.pipe()
        } catch {
            toThem.close()
            throw error
        }
        ours = Ends(input: toUs.input, output: toThem.output)
        theirs = Ends(input: toThem.input, output: toUs.output)
    }

    /// Creates a pair of sockets, of which one direction is used: unlike a pipe, it is closed on exec from the start.
    private static func pipe() throws(SystemCallError) -> Ends {
        var descriptors: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, closedOnExec, 0, &descriptors) == 0 else { throw SystemCallError.last() }
        #if canImport(Darwin)
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        #endif
        return Ends(input: descriptors[0], output: descriptors[1])
    }

    private static var closedOnExec: Int32 {
        #if canImport(Darwin)
        SOCK_STREAM
        #elseif canImport(Musl)
        SOCK_STREAM | SOCK_CLOEXEC
        #else
        Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        #endif
    }
}

private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
