import AuthHubPrimitives

/// What is wrong with the owner or the mode of a file, and what to do about it.
package struct FileProblem: Error, Sendable, Hashable {
    package let problem: String
    package let advice: String

    var refusal: CredentialStoreError { CredentialStoreError(.refused, "\(problem); \(advice)") }
}

extension FileStatus {
    /// Checks an open file with a secret that the user or the environment names. Warns if other users may read it.
    ///
    /// The file may be a link's target, and may belong to root, as the secrets of containers do. A pipe has no contents that others could
    /// read later, and may come from a program of another user, such as the caller of `sudo`. Devices, such as a terminal, are not checked.
    ///
    /// - Throws: ``FileProblem`` if another user may have written the secret.
    package static func checkSecret(_ descriptor: Int32, _ path: String) throws(FileProblem) {
        let status = try FileStatus(known: descriptor, path)
        if let warning = try status.secretWarning(path) { SecretFileWarnings.current?.add("\(warning.problem); \(warning.advice)") }
    }

    /// Checks an open file that determines where secrets are sent. A group may write to it, as in a shared project, and it may belong to
    /// another user, as in a container.
    ///
    /// - Throws: ``FileProblem`` if every user may write to the file.
    package static func checkTrusted(_ descriptor: Int32, _ path: String) throws(FileProblem) {
        let status = try FileStatus(known: descriptor, path)
        guard status.isPlainFile, status.permissions & 0o002 != 0 else { return }
        throw FileProblem(
            problem: "all users may write to \(path) (mode \(status.mode))",
            advice: "check what is in it, then: chmod o-w \(path.shellWord)")
    }

    private init(known descriptor: Int32, _ path: String) throws(FileProblem) {
        guard let status = try? FileStatus(of: descriptor, path) else {
            throw FileProblem(problem: "the owner and mode of \(path) cannot be read", advice: "copy it to another file system")
        }
        self = status
    }

    /// - Returns: The reason for a warning; nil if no other user may read the file, or if this user cannot change that.
    func secretWarning(_ path: String, in namespace: UserNamespace = .current) throws(FileProblem) -> FileProblem? {
        guard isPlainFile || isPipe else { return nil }
        let command = "chmod 600 \(path.shellWord)"
        let writers = problemOfWriters(path, "check what is in it, then: \(command)")
        if let problem = isPipe ? writers : problemOfOwner(path, namespace) ?? writers { throw problem }
        guard isPlainFile else { return nil }
        guard permissions & 0o044 != 0, namespace.isOurs(owner), !isReadOnly else { return nil }
        return FileProblem(problem: "other users may read \(path) (mode \(mode))", advice: "run: \(command)")
    }
}
