import Platform

/// The signature that a process writes to the file of a lock that it holds: its ID, and the system in which that ID is valid.
///
/// Containers and machines that share a store number their processes independently: it would be wrong to tell a user to end "process 1" on
/// the wrong machine.
enum ProcessSignature {
    /// The largest size of a signature in bytes.
    static let largestSize = 128

    static var own: [UInt8] { Array("\(getpid())\n\(numbering ?? "")\n".utf8) }

    /// Returns the process that signed the file.
    ///
    /// - Returns: nil if there is no signature, the ID is not valid here, or the process has ended.
    static func process(in bytes: [UInt8]) -> Int32? {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 1, let numbering, numbering == lines[1], let process = Int32(lines[0]), process > 0 else { return nil }
        // A process exists even if it may not be signalled.
        return kill(process, 0) == 0 || errno == EPERM ? process : nil
    }

    #if canImport(Darwin)
    private static let numbering: String? = "here"
    #else
    /// The boot of the system and its process ID namespace; nil if unknown.
    private static let numbering: String? = {
        let bootPath = "/proc/sys/kernel/random/boot_id"
        guard let boot = try? POSIXFile.open(bootPath, to: .read)?.read(atMost: 36), boot.count == 36,
            let space = try? FileSystem.target(ofLink: "/proc/self/ns/pid")
        else { return nil }
        return "\(String(decoding: boot, as: UTF8.self)) \(space)"
    }()
    #endif
}
