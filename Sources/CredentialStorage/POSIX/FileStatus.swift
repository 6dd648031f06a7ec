package import AuthHubPrimitives
import Platform

/// The system's metadata of a file: its kind, owner, mode and size.
package struct FileStatus {
    let owner: UInt32
    let permissions: UInt32
    package let size: Int
    /// Whether the file system is mounted read-only, so that not even the owner can change the file.
    let isReadOnly: Bool
    private let kind: UInt32

    var isPlainFile: Bool { kind == UInt32(S_IFREG) }
    var isPipe: Bool { kind == UInt32(S_IFIFO) }
    private var isFolder: Bool { kind == UInt32(S_IFDIR) }

    var mode: String { String(permissions, radix: 8) }

    init(_ status: stat, isReadOnly: Bool = false) {
        owner = UInt32(status.st_uid)
        permissions = UInt32(status.st_mode) & 0o7777
        size = Int(status.st_size)
        kind = UInt32(status.st_mode) & UInt32(S_IFMT)
        self.isReadOnly = isReadOnly
    }

    /// Creates the status of an open file.
    init(of descriptor: Int32, _ path: String) throws(CredentialStoreError) {
        var (status, system) = (stat(), statvfs())
        guard fstat(descriptor, &status) == 0 else { throw .systemCall("fstat", path) }
        self.init(status, isReadOnly: fstatvfs(descriptor, &system) == 0 && UInt(system.f_flag) & UInt(ST_RDONLY) != 0)
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
        let writers = problemOfWriters(path, "if they never did, run: chmod go-w \(path.shellWord)")
        if let problem = problemOfOwner(path, namespace) ?? writers { throw problem.refusal }
    }

    /// Returns the problem if the file belongs neither to this user nor to root.
    ///
    /// - Parameters:
    ///   - acceptsRoot: Whether the file may belong to root.
    ///   - other: The problem if the file belongs to another user for certain.
    func problemOfOwner(
        _ path: String, _ namespace: UserNamespace, acceptsRoot: Bool = true, or other: FileProblem? = nil
    ) -> FileProblem? {
        guard !namespace.isOurs(owner), !(acceptsRoot && owner == 0) else { return nil }
        if let doubt = namespace.doubt(about: owner) {
            return FileProblem(problem: "\(path) may belong to another user", advice: doubt)
        }
        return other
            ?? FileProblem(
                problem: "\(path) belongs to user \(owner), who could change it",
                advice: "if it should be yours, run as root: chown \(geteuid()) \(path.shellWord)")
    }

    /// Returns the problem if other users may write to the file.
    func problemOfWriters(_ path: String, _ advice: String) -> FileProblem? {
        guard permissions & 0o022 != 0 else { return nil }
        return FileProblem(problem: "other users may write to \(path) (mode \(mode))", advice: advice)
    }

    private func requirePrivate(_ path: String, mode: String, _ namespace: UserNamespace) throws(CredentialStoreError) {
        let other = FileProblem(
            problem: "\(path) belongs to user \(owner), not to user \(geteuid()), who runs this program",
            advice: "run as its owner, or move it away")
        if let problem = problemOfOwner(path, namespace, acceptsRoot: false, or: other) { throw problem.refusal }
        guard permissions & 0o077 == 0 else {
            throw CredentialStoreError(
                .refused,
                "other users may access \(path) (mode \(self.mode)); if they never did, run: chmod \(mode) \(path.shellWord)"
            )
        }
    }
}
