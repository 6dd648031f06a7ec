import Platform

/// Returns the environment of this process at the moment of the call.
package func processEnvironment() -> [String: String] {
    ProcessInfo.processInfo.environment
}

extension [String: String] {
    /// Returns the value; nil if it is empty.
    func nonEmpty(_ name: String) -> String? {
        self[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The variables that a child process inherits: none of ours except `AUTHHUB_BROWSER`, none of libpq's, and not the folder in which
    /// systemd stores the secrets of a service.
    ///
    /// Whole families are excluded, because no list of secrets is complete: `AUTHHUB_STORE` may contain a password just like `PGPASSWORD`.
    var inheritable: Self {
        filter { name, _ in
            name == "AUTHHUB_BROWSER" || !(name.hasPrefix("AUTHHUB_") || name.hasPrefix("PG") || name == "CREDENTIALS_DIRECTORY")
        }
    }

    /// Returns the program with this name in the folders of `PATH`, or the path itself if it contains a slash; nil if there is none.
    package func findProgram(_ name: String) -> String? {
        if name.contains("/") { return isProgram(name) ? name : nil }
        let folders = (nonEmpty("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.lazy.map { "\($0)/\(name)" }.first { isProgram($0) }
    }
}

func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }

private func isProgram(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
}
