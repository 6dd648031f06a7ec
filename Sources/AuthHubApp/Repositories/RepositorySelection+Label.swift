public import GitHubAPI

extension RepositorySelection {
    /// What people choose it by.
    public var label: String {
        switch self {
        case .all: "All"
        case .owned: "Owned by Me"
        }
    }
}
