import CLinux
import Platform

/// The memory of this process, which holds tokens.
enum ProcessMemory {
    /// Keeps the memory out of core files and, on Linux, inaccessible to other programs of the same user.
    ///
    /// Called before any secret is read. Child processes inherit only the limit for core files, and may raise it.
    static func protect() {
        #if os(Linux)
        _ = process_set_dumpable(0)
        #endif
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
        #else
        let resource = RLIMIT_CORE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = 0
        _ = setrlimit(resource, &limit)
    }
}
