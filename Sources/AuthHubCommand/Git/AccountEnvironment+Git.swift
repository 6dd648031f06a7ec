import AuthHubPrimitives
import CredentialStorage

extension AccountEnvironment {
    /// Reads everything that names an account, with git's configuration for the repository of the working folder.
    static func readingGit() async -> Self {
        await read { folder throws(Failure) in
            guard GitProgram.isInstalled else { return nil }
            let output = try await GitProgram.run("-C", folder, "config", "--get", "authhub.account")
            // 1 means that there is no value.
            guard output.isSuccess || output.status == 1 else {
                throw Failure(
                    "git_failed", .failed, "git's configuration in \(folder) cannot be read",
                    hint: "correct the configuration, or add --as NAME")
            }
            return output.lines.first.flatMap { $0.isEmpty ? nil : $0 }
        }
    }
}
