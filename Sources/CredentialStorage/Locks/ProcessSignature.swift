#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What a process writes into the file of a lock that it holds, for those who wait too long: its number, and where that number counts.
///
/// Containers and machines that share a store number their processes each by itself: "process 1" had better not be ended in the wrong one.
enum ProcessSignature {
    /// No signature is longer, in bytes.
    static let largestSize = 128

    static var own: [UInt8] { Array("\(getpid())\n\(numbering ?? "")\n".utf8) }

    /// - Returns: nil where there is no signature, the number does not count here, or the process is gone.
    static func process(in bytes: [UInt8]) -> Int32? {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 1, let numbering, numbering == lines[1], let process = Int32(lines[0]), process > 0 else { return nil }
        // Also what may not be signalled is there.
        return kill(process, 0) == 0 || errno == EPERM ? process : nil
    }

    #if canImport(Darwin)
    private static let numbering: String? = "here"
    #else
    /// The system's run and its name space of process numbers; nil where that cannot be found out.
    private static let numbering: String? = {
        let bootPath = "/proc/sys/kernel/random/boot_id"
        guard let boot = try? POSIXFile.open(bootPath, to: .read)?.read(atMost: 36), boot.count == 36,
            let space = try? FileSystem.target(ofLink: "/proc/self/ns/pid")
        else { return nil }
        return "\(String(decoding: boot, as: UTF8.self)) \(space)"
    }()
    #endif
}
