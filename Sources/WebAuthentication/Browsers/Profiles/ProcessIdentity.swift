import Platform

/// A process, distinguished by its start time from a later one with the same ID.
struct ProcessIdentity: Sendable, Hashable {
    let processID: pid_t
    /// The start time in the system's own unit; only for comparison.
    let started: UInt64

    /// This process; nil if the system does not report its start time.
    static var ours: Self? { Self(of: getpid()) }

    /// Whether it is still running.
    var isRunning: Bool { Self(of: processID) == self }
}

extension ProcessIdentity: LosslessStringConvertible {
    init?(_ description: String) {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let processID = pid_t(parts[0]), processID > 0, let started = UInt64(parts[1]) else { return nil }
        (self.processID, self.started) = (processID, started)
    }

    var description: String { "\(processID)-\(started)" }
}

#if canImport(Darwin)
extension ProcessIdentity {
    /// Finds the process that has this ID now; nil if there is none, or only a zombie.
    init?(of processID: pid_t) {
        var information = proc_bsdinfo()
        let size = Int32(MemoryLayout<proc_bsdinfo>.stride)
        guard proc_pidinfo(processID, PROC_PIDTBSDINFO, 0, &information, size) == size, information.pbi_status != UInt32(SZOMB) else {
            return nil
        }
        self.processID = processID
        started = information.pbi_start_tvsec * 1_000_000 + information.pbi_start_tvusec
    }
}
#else
extension ProcessIdentity {
    /// Finds the process that has this ID now; nil if there is none, or only a zombie.
    init?(of processID: pid_t) {
        guard let line = readSmallFile("/proc/\(processID)/stat") else { return nil }
        self.init(of: processID, statusLine: line)
    }

    /// Parses a status line.
    ///
    /// - Parameter statusLine: As proc(5) describes `/proc/PID/stat`: the name, in parentheses, may contain anything.
    init?(of processID: pid_t, statusLine: String) {
        guard let name = statusLine.lastIndex(of: ")") else { return nil }
        let fields = statusLine[statusLine.index(after: name)...].split(separator: " ")
        guard fields.count > 19, let started = UInt64(fields[19]), !["Z", "X"].contains(fields[0]) else { return nil }
        (self.processID, self.started) = (processID, started)
    }
}
#endif

/// Returns the start of a file, as text; nil if it cannot be read.
func readSmallFile(_ path: String, limit: Int = 4096) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = read(descriptor, &bytes, limit)
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
}
