import Platform

/// A child process that communicates line by line.
final class OtherProcess {
    private let input: UnsafeMutablePointer<FILE>
    private let output: UnsafeMutablePointer<FILE>
    private let identifier: pid_t

    init(_ arguments: [String]) throws {
        var (toOther, fromOther) = ([Int32](repeating: 0, count: 2), [Int32](repeating: 0, count: 2))
        try Self.check(pipe(&toOther))
        try Self.check(pipe(&fromOther))
        // Our ends are not inherited by processes that are started later, which would delay each other's end.
        for descriptor in [toOther[1], fromOther[0]] { try Self.check(fcntl(descriptor, F_SETFD, FD_CLOEXEC)) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toOther[0], 0)
        posix_spawn_file_actions_adddup2(&actions, fromOther[1], 1)
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var identifier: pid_t = 0
        let outcome = posix_spawn(&identifier, arguments[0], &actions, nil, &words, environ)
        guard outcome == 0 else { throw SharedRefreshError.system(outcome) }
        close(toOther[0])
        close(fromOther[1])
        guard let input = fdopen(toOther[1], "w"), let output = fdopen(fromOther[0], "r") else { throw SharedRefreshError.system(errno) }
        self.identifier = identifier
        self.input = input
        self.output = output
    }

    func write(_ line: String) throws {
        fputs(line + "\n", input)
        try Self.check(fflush(input))
    }

    /// Reads a line.
    ///
    /// - Returns: nil if the other process has ended.
    func read() throws -> String? {
        var line = [CChar](repeating: 0, count: 100)
        guard fgets(&line, Int32(line.count), output) != nil else { return nil }
        return String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Closes the input of the process, which then ends.
    func end() {
        fclose(input)
        fclose(output)
        waitpid(identifier, nil, 0)
    }

    private static func check(_ outcome: Int32) throws {
        guard outcome == 0 else { throw SharedRefreshError.system(errno) }
    }
}
