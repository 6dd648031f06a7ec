#if canImport(SwiftUI)
/// The location of the app's settings files.
enum SettingsFolder {
    /// The variable for another folder, only in debug builds, so that a client secret for development need not be in the bundle.
    static let variable = "AUTHHUB_APP_SETTINGS"

    /// Returns the path of the folder.
    ///
    /// - Parameter resources: The folder of the bundle's resources.
    static func path(environment: [String: String], resources: String?) -> String {
        #if DEBUG
        if let folder = environment[variable], !folder.isEmpty { return folder }
        #endif
        return "\(resources ?? ".")/Settings"
    }
}
#endif
