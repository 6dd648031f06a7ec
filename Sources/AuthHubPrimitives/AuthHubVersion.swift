/// The version of this package.
public enum AuthHubVersion {
    public static let current = "0.1.0"
}
