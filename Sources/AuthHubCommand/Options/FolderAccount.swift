import AuthHubPrimitives

/// The account that the user has chosen for the working folder or one above it.
struct FolderAccount: Sendable, Equatable {
    /// Where the choice is stored. Neither comes with a clone of a repository.
    enum Place: Sendable, Equatable {
        /// A folder in the user's rules.
        case rules(String)
        /// The folder of a git repository, whose configuration has `authhub.account`.
        case git(String)
    }

    let label: String
    let place: Place
}

extension FolderAccount.Place {
    var words: String {
        switch self {
        case .rules(let folder): "the binding of \(folder)"
        case .git(let folder): "authhub.account in git's configuration for \(folder)"
        }
    }

    /// What to do about the label.
    var advice: String {
        switch self {
        case .rules(let folder): "authhub accounts unbind --folder \(folder.shellWord)"
        case .git(let folder): "git -C \(folder.shellWord) config --show-origin authhub.account shows where it is set"
        }
    }
}
