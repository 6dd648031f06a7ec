public import Foundation

/// The app's own text, which Apple's SwiftUI looks up in translations.
public struct LocalizedStringKey: ExpressibleByStringInterpolation {
    let text: String

    public init(stringLiteral text: String) {
        self.text = text
    }
}

public struct Text: Primitive {
    let text: String

    public init(verbatim content: String) {
        text = content
    }

    /// Creates a text from a literal. Apple's initializer parses Markdown, so it must not receive untrusted text. Because this
    /// initializer has no label, only a literal reaches it.
    public init(_ key: LocalizedStringKey) {
        text = key.text
    }

    public func font(_ font: Font?) -> Text { self }

    public func nodes(in place: Place) -> [Node] { [Node(.text, text)] }
}

public struct Font: Hashable, Sendable {
    public static let largeTitle = Font()
    public static let headline = Font()
    public static let caption = Font()

    public static func system(size: CGFloat) -> Font { Font() }
}
