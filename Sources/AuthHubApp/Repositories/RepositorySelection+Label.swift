public import GitHubAPI

extension RepositorySelection {
    /// The label to show to the user.
    public var label: String {
        switch self {
        case .all: "All"
        case .owned: "Owned by Me"
        }
    }
}
