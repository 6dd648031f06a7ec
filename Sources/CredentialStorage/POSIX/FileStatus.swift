package import AuthHubPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The system's metadata of a file: its kind, owner, mode and size.
package struct FileStatus {
    let owner: UInt32
    let permissions: UInt32
    package let size: Int
    private let kind: UInt32

    var isPlainFile: Bool { kind == UInt32(S_IFREG) }
    private var isFolder: Bool { kind == UInt32(S_IFDIR) }

    init(_ status: stat) {
        owner = UInt32(status.st_uid)
        permissions = UInt32(status.st_mode) & 0o7777
        size = Int(status.st_size)
        kind = UInt32(status.st_mode) & UInt32(S_IFMT)
    }

    /// Returns the status of the file at a path, without following a symbolic link; nil if there is no file.
    package static func of(_ path: String) throws(CredentialStoreError) -> FileStatus? {
        var status = stat()
        if lstat(path, &status) == 0 { return FileStatus(status) }
        guard errno == ENOENT else { throw .systemCall("lstat", path) }
        return nil
    }
}

extension FileStatus {
    package func requirePrivateFile(_ path: String, in namespace: UserNamespace = .current) throws(CredentialStoreError) {
        guard isPlainFile else {
            throw CredentialStoreError(.refused, "\(path) is not a regular file; move it away")
        }
        try requirePrivate(path, mode: "600", namespace)
    }

    func requirePrivateFolder(_ path: String, in namespace: UserNamespace = .current) throws(CredentialStoreError) {
        guard isFolder else {
            throw CredentialStoreError(.refused, "\(path) is not a folder (symbolic links are not followed); move it away")
        }
        try requirePrivate(path, mode: "700", namespace)
    }

    func requireTrustedFile(_ path: String, in namespace: UserNamespace = .current) throws(CredentialStoreError) {
        guard isPlainFile else { throw CredentialStoreError(.refused, "\(path) is not a regular file; move it away") }
        try requireTrusted(path, namespace)
    }

    func requireTrustedFolder(_ path: String, in namespace: UserNamespace = .current) throws(CredentialStoreError) {
        guard isFolder else {
            throw CredentialStoreError(.refused, "\(path) is not a folder (symbolic links are not followed); move it away")
        }
        try requireTrusted(path, namespace)
    }

    private func requireTrusted(_ path: String, _ namespace: UserNamespace) throws(CredentialStoreError) {
        guard owner == 0 || namespace.isOurs(owner) else {
            throw notOurs(
                path, namespace,
                "belongs to user \(owner), who could change it; if it should be yours, run as root: chown \(geteuid()) \(path.shellWord)")
        }
        guard permissions & 0o022 == 0 else {
            throw CredentialStoreError(
                .refused,
                "other users may write to \(path) (mode \(String(permissions, radix: 8))); if they never did, run: chmod go-w \(path.shellWord)"
            )
        }
    }

    private func requirePrivate(_ path: String, mode: String, _ namespace: UserNamespace) throws(CredentialStoreError) {
        guard namespace.isOurs(owner) else {
            throw notOurs(
                path, namespace,
                "belongs to user \(owner), not to user \(geteuid()), who runs this program; run as its owner, or move it away")
        }
        guard permissions & 0o077 == 0 else {
            throw CredentialStoreError(
                .refused,
                "other users may access \(path) (mode \(String(permissions, radix: 8))); if they never did, run: chmod \(mode) \(path.shellWord)"
            )
        }
    }

    func notOurs(_ path: String, _ namespace: UserNamespace, _ problem: String) -> CredentialStoreError {
        let doubt = namespace.doubt(about: owner).map { "may belong to another user: \($0)" }
        return CredentialStoreError(.refused, "\(path) \(doubt ?? problem)")
    }
}
