#if os(Linux)
import CLinux
#endif

/// The arguments of this process.
enum ProcessArguments {
    /// The arguments after the program's own name; nil if they cannot be read.
    ///
    /// On Linux, Swift reads them from `/proc/self/cmdline`, and gets none if `/proc` is not mounted. No process starts without any.
    static var words: [String]? {
        let all = CommandLine.arguments.isEmpty ? kept : CommandLine.arguments
        return all.isEmpty ? nil : Array(all.dropFirst())
    }

    private static var kept: [String] {
        #if os(Linux)
        (0..<process_argument_count()).compactMap { process_argument($0).map { String(cString: $0) } }
        #else
        []
        #endif
    }
}
