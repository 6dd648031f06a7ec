import AuthHubPrimitives

/// An app in Apple's association files: the ten characters of its team ID, a dot and its bundle identifier.
package struct ApplicationIdentifier: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// - Returns: nil if the text is not an app, such as a bundle identifier alone.
    package init?(_ text: String) {
        let team = text.utf8.prefix(10)
        let rest = text.utf8.dropFirst(10)
        let bundle = rest.dropFirst()
        guard team.count == 10, rest.first == UInt8(ascii: "."), !bundle.isEmpty, text.utf8.count <= 255,
            team.allSatisfy({ $0.isASCIIDigit || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }),
            bundle.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "-.".utf8.contains($0) }),
            bundle.first != UInt8(ascii: "."), bundle.last != UInt8(ascii: ".")
        else { return nil }
        description = text
    }
}
