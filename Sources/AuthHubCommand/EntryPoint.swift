#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@main
enum EntryPoint {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if CachedTokenPath.run(arguments) { exit(ExitStatus.done.rawValue) }
        exit(await ToolRun(arguments).finish())
    }
}
