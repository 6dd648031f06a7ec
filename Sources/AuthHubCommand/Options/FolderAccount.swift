import AuthHubPrimitives

/// The account of the working folder.
struct FolderAccount: Sendable, Equatable {
    /// Where the label is written.
    enum Place: Sendable, Equatable {
        /// The path of an `.authhub.toml`.
        case file(String)
        /// The folder of a git repository, whose configuration has `authhub.account`.
        case git(String)
    }

    let label: String
    let place: Place
}

extension FolderAccount.Place {
    var words: String {
        switch self {
        case .file(let path): path
        case .git(let folder): "authhub.account in git's configuration for \(folder)"
        }
    }

    /// What to do about the label.
    var advice: String {
        switch self {
        case .file(let path):
            "authhub accounts unbind --folder \(String(path[...(path.lastIndex(of: "/") ?? path.startIndex)]).shellWord)"
        case .git(let folder): "git -C \(folder.shellWord) config --show-origin authhub.account shows where it is set"
        }
    }
}
