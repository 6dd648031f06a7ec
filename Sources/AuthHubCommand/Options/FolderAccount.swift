import AuthHubPrimitives

/// The account that the working folder names.
///
/// Git's configuration of a repository is not part of a clone, so it is the user's own. A file may come from anyone, so it only chooses the
/// account if the user has approved that (``AccountRules/approves(_:)``).
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

extension FolderAccount {
    /// The command that approves the choice.
    var approval: String { "authhub accounts bind \(label.shellWord) --folder \(place.folder.shellWord)" }

    /// The notice that the choice is not approved.
    var notice: String {
        "\(place.words) names the account “\(label)”, which is ignored until you approve it on this machine: \(approval)"
    }
}

extension FolderAccount.Place {
    /// The path of the folder.
    var folder: String {
        switch self {
        case .file(let path): path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        case .git(let folder): folder
        }
    }

    var words: String {
        switch self {
        case .file(let path): path
        case .git(let folder): "authhub.account in git's configuration for \(folder)"
        }
    }

    /// What to do about the label.
    var advice: String {
        switch self {
        case .file: "authhub accounts unbind --folder \(folder.shellWord)"
        case .git(let folder): "git -C \(folder.shellWord) config --show-origin authhub.account shows where it is set"
        }
    }
}
