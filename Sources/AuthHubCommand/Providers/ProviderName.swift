import AuthHubPrimitives
import OAuthProtocol

/// The rules for the names of added providers.
enum ProviderName {
    private static let lengthLimit = 64

    /// Returns why no provider can be added under a name; nil if one can.
    ///
    /// The name is a command-line argument and a file name, which some file systems compare without case.
    ///
    /// - Parameter commands: The words that are commands.
    static func problem(with name: String, besides commands: Set<String>) -> String? {
        let shown = "“\(displayable(name, limit: lengthLimit))”"
        guard name.utf8.count <= lengthLimit, name.utf8.allSatisfy({ isAlphanumeric($0) || "-._".utf8.contains($0) }),
            name.utf8.first.map(isAlphanumeric) ?? false
        else {
            return
                "\(shown) is not a valid provider name; use 1 to \(lengthLimit) letters, digits, - . and _, beginning with a letter or a digit"
        }
        let lowercased = name.lowercased()
        if isBuiltIn(lowercased) { return "“\(lowercased)” is a built-in provider; give yours another name" }
        if commands.contains(lowercased) { return "\(shown) is the name of a command; give the provider another name" }
        return nil
    }

    /// Returns whether there is a built-in provider with this name in any case.
    static func isBuiltIn(_ name: String) -> Bool { ProviderProfile.builtIn(name.lowercased()) != nil }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }
}
