import Platform

/// The value of a variable in the process's environment; nil if it is not set or is empty.
@Sendable package func processEnvironment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}

/// The user's home folder according to the system's user database.
package func accountHome() -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 14) { buffer in
        guard let start = buffer.baseAddress, getpwuid_r(geteuid(), &entry, start, buffer.count, &found) == 0 else { return nil }
        let home: UnsafeMutablePointer<CChar>? = found?.pointee.pw_dir
        return home.map { String(cString: $0) }
    }
}
