import Platform

/// The descriptors 0 to 2, even if some were closed when the tool was started.
enum StandardStreams {
    /// Occupies the numbers of closed streams: otherwise, a record's file, a lock or a connection would get them, and then receive the
    /// token that is meant for standard output.
    ///
    /// They get a folder instead, which can be neither read nor written. Must be called before anything else is opened.
    static func occupyClosed() {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) == -1 && errno == EBADF {
            // The lowest free number is the missing one.
            _ = open("/", O_RDONLY | O_DIRECTORY)
        }
    }

    /// Writes all bytes, however long the reader takes.
    ///
    /// - Returns: The error number, or nil if everything was written.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
            if written >= 0 {
                rest = rest.dropFirst(written)
                continue
            }
            switch errno {
            case EINTR: break
            case EAGAIN: waitForRoom(descriptor)
            case EPIPE:
                // The reader is gone: end like a program that does not handle this signal. The network library ignores it.
                signal(SIGPIPE, SIG_DFL)
                raise(SIGPIPE)
                return EPIPE
            case let number: return number
            }
        }
        return nil
    }

    /// Whether a short message for the user can be written without waiting for its reader.
    static var haveRoomForMessages: Bool {
        var interest = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&interest, 1, 0) != 0
    }

    private static func waitForRoom(_ descriptor: Int32) {
        var interest = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&interest, 1, 1000)
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
