import Dispatch
import Platform

@main
enum EntryPoint {
    static func main() {
        StandardStreams.occupyClosed()
        ProcessMemory.protect()
        guard let arguments = ProcessArguments.command else {
            let problem = "authhub: the arguments cannot be read; mount /proc\n"
            _ = StandardStreams.write(Array(problem.utf8), to: STDERR_FILENO)
            exit(ExitStatus.failed.rawValue)
        }
        if CachedTokenPath.run(arguments) { exit(ExitStatus.done.rawValue) }
        // Not an asynchronous main: starting the concurrency runtime would make the cached token 20 percent slower.
        Task { exit(await ToolRun(arguments).finish()) }
        dispatchMain()
    }
}
