#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The environment of this process, read at the moment of the call.
package func processEnvironment() -> [String: String] {
    ProcessInfo.processInfo.environment
}

extension [String: String] {
    /// The value, nil where it is empty.
    func nonEmpty(_ name: String) -> String? {
        self[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The variables that a started program inherits: none of ours except `AUTHHUB_BROWSER`, none of libpq's, and not the folder in which
    /// systemd keeps the secrets of a service.
    ///
    /// Excludes whole families, because no list of secrets is complete: `AUTHHUB_STORE` may hold a password just like `PGPASSWORD`.
    var inheritable: Self {
        filter { name, _ in
            name == "AUTHHUB_BROWSER" || !(name.hasPrefix("AUTHHUB_") || name.hasPrefix("PG") || name == "CREDENTIALS_DIRECTORY")
        }
    }

    /// The program of this name in the folders of `PATH`, or the path itself where it holds a slash; nil where there is none.
    func findProgram(_ name: String) -> String? {
        if name.contains("/") { return isProgram(name) ? name : nil }
        let folders = (nonEmpty("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.lazy.map { "\($0)/\(name)" }.first { isProgram($0) }
    }
}

private func isProgram(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
}
