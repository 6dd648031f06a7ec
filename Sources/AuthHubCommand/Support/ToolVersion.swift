import AuthHubPrimitives
import CBuildCommit

/// The version of the tool.
enum ToolVersion {
    /// The version, and the commit that a release was built from: `1.2.3 (1a2b3c4)`. A development build has no commit.
    static let text: String = {
        let commit = String(cString: authhub_build_commit())
        return commit.isEmpty ? AuthHubVersion.current : "\(AuthHubVersion.current) (\(commit))"
    }()
}
