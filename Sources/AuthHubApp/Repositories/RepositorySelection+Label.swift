public import GitHubAPI

extension RepositorySelection {
    /// The label for the user.
    public var label: String {
        switch self {
        case .all: "All"
        case .owned: "Owned by Me"
        }
    }
}
