/// The location where a user's programs store their data.
package enum DataFolder {
    /// Returns the data folder of a service; it need not exist.
    package static func path(of service: String) throws(CredentialStoreError) -> String {
        try path(of: service, environment: processEnvironment, accountHome: accountHome)
    }

    package static func path(
        of service: String, environment: (String) -> String?, accountHome: () -> String?
    ) throws(CredentialStoreError) -> String {
        try checkServiceName(service)
        return try parent(environment, accountHome) + "/" + service
    }

    private static func checkServiceName(_ service: String) throws(CredentialStoreError) {
        let isFolderName =
            !service.isEmpty && service.utf8.count <= 255 && !service.hasPrefix(".")
            && service.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 >= 0x20 && $0 != 0x7F }
        guard isFolderName else {
            throw CredentialStoreError(
                .refused,
                "the service name is not a valid folder name; use 1 to 255 bytes without slashes, control characters or a leading dot, such as com.example.app"
            )
        }
    }

    /// Returns the parent folder. Relative paths are ignored (XDG Base Directory Specification 0.8).
    private static func parent(
        _ environment: (String) -> String?, _ accountHome: () -> String?
    ) throws(CredentialStoreError) -> String {
        func absolute(_ path: String?) -> String? {
            path.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        if let folder = absolute(environment("XDG_DATA_HOME")) { return folder }
        guard let home = absolute(environment("HOME")) ?? absolute(accountHome()) else {
            throw CredentialStoreError(.unavailable, "the home folder is not known; set HOME or XDG_DATA_HOME to an absolute path")
        }
        return "\(home)/.local/share"
    }
}
