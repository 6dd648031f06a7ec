public import AuthHubPrimitives

/// The file that lets apps receive https callbacks of a host: `apple-app-site-association`.
///
/// Apple's systems fetch it from `https://HOST/.well-known/apple-app-site-association` when the app is installed. For the callback of an
/// authentication session the service `webcredentials` is what counts; `applinks` opens the app from links anywhere else.
public struct AssociationFile: Sendable, Hashable {
    /// Who may receive the host's callbacks.
    public var apps: [ApplicationIdentifier]
    /// The paths whose links open the apps; none where it is empty. `*` stands for any characters, `?` for one.
    public var linkedPaths: [String]

    public init(apps: [ApplicationIdentifier], linkedPaths: [String] = []) {
        self.apps = apps
        self.linkedPaths = linkedPaths
    }

    /// Where the file has to lie on its host.
    public static let path = "/.well-known/apple-app-site-association"

    public var json: JSONValue {
        let names = JSONValue.array(apps.map { .string($0.description) })
        var members = JSONObject()
        members["webcredentials"] = ["apps": names]
        if !linkedPaths.isEmpty {
            let components = JSONValue.array(linkedPaths.map { ["/": .string($0)] })
            members["applinks"] = ["details": .array([["appIDs": names, "components": components]])]
        }
        return .object(members)
    }
}
