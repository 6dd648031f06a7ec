#if os(Linux)
import CLinux
import Platform
#endif

/// The arguments of this process.
enum ProcessArguments {
    /// The arguments after the program's own name; nil if they cannot be read.
    ///
    /// On Linux, Swift reads them from `/proc/self/cmdline`, and gets none if `/proc` is not mounted. No process starts without any.
    ///
    /// If the program was started by the name of a helper, such as with a link, the helper's command comes first.
    static var command: [String]? {
        let all = CommandLine.arguments.isEmpty ? kept : CommandLine.arguments
        guard let program = all.first else { return nil }
        let name = program.split(separator: "/").last.map(String.init) ?? ""
        return (helpers[name] ?? []) + all.dropFirst()
    }

    /// The helpers' commands, by the names with which other programs start them.
    private static let helpers = ["git-credential-authhub": ["helper", "git"]]

    /// Returns the last words of the command line as they were typed, even if they are not UTF-8, each with a NUL byte at the end.
    ///
    /// - Parameter words: The words as strings.
    static func raw(last words: [String]) -> [[CChar]] {
        let count = Int(CommandLine.argc)
        guard count > words.count else { return words.map { Array($0.utf8CString) } }
        return (count - words.count..<count).compactMap { index in
            CommandLine.unsafeArgv[index].map { Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1)) }
        }
    }

    /// Returns arguments without some options and their values.
    static func leavingOut(_ options: Set<String>, of arguments: [String]) -> [String] {
        arguments.indices.filter { index in
            !options.contains(arguments[index]) && !(index > 0 && options.contains(arguments[index - 1]))
                && !options.contains { arguments[index].hasPrefix("\($0)=") }
        }.map { arguments[$0] }
    }

    private static var kept: [String] {
        #if os(Linux)
        (0..<process_argument_count()).compactMap { process_argument($0).map { String(cString: $0) } }
        #else
        []
        #endif
    }
}
