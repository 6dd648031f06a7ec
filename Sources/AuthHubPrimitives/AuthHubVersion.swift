/// The version of this package.
public enum AuthHubVersion {
    /// The version number of this release.
    public static let current = "0.1.0"
}
