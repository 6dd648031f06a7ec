/// The release this code belongs to.
public enum AuthHubVersion {
    public static let current = "0.1.0"
}
