import LibFuzzer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs libFuzzer on one target, with the remaining arguments.
///
///     Fuzz TARGET [ARGUMENT OF LIBFUZZER...]
///     Fuzz --list
@main
struct Fuzz {
    static let targets: [any Target.Type] = [
        CallbackTarget.self, TokenAnswerTarget.self, MetadataTarget.self, ChallengeTarget.self, DeviceAnswerTarget.self,
        JSONTarget.self, FormTarget.self, SignatureTarget.self, EncryptionTarget.self, KeySetTarget.self, IDTokenTarget.self,
        LogoutTokenTarget.self,
    ]
    /// The chosen target. It is static, because libFuzzer calls a C function, which cannot capture it.
    static let target = targets.first { CommandLine.arguments.count > 1 && $0.name == CommandLine.arguments[1] }

    static func main() {
        guard target != nil else {
            for target in targets { print(target.name) }
            exit(CommandLine.arguments.dropFirst() == ["--list"] ? 0 : 64)
        }
        let arguments = CommandLine.arguments.enumerated().filter { $0.offset != 1 }.map { strdup($0.element) }
        let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: arguments.count + 1)
        list.initialize(from: arguments + [nil], count: arguments.count + 1)
        var start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = list
        var count = Int32(arguments.count)
        exit(LLVMFuzzerRunDriver(&count, &start) { bytes, size in Fuzz.check(UnsafeBufferPointer(start: bytes, count: size)) })
    }

    /// The CPU time, in nanoseconds, that one input may take. Inputs are a few KiB long, so more time means more than linear growth.
    private static let timeLimit = 250_000_000

    private static func check(_ input: UnsafeBufferPointer<UInt8>) -> Int32 {
        let bytes = Array(input), start = processorTime
        do throws(Violation) {
            try target?.check(bytes)
        } catch {
            stop(error.sentence)
        }
        if processorTime - start > timeLimit { stop("\(bytes.count) bytes took \((processorTime - start) / 1_000_000) ms") }
        return 0
    }

    /// Ends the process with a message. libFuzzer saves the input and prints its path.
    static func stop(_ sentence: String) -> Never {
        let line = Array("\nVIOLATED: \(sentence)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        abort()
    }

    private static var processorTime: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
