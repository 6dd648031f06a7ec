public import Foundation

/// A replacement for pixels: one element that a user sees, hears or presses. Apple's SwiftUI has no such type.
@MainActor
public struct Node {
    public enum Kind: Hashable, Sendable {
        case text, image, button, link, toggle, picker, secureField, searchField, progress, menu
        /// An element that only contains other elements.
        case group
    }

    public let kind: Kind
    /// The text on it.
    public let text: String
    public var children: [Node]
    /// The accessibility label, which replaces the text.
    public var label: String?
    public var value: String?
    public var hint: String?
    public var isHidden = false
    public var hidesChildren = false
    public var isHeading = false
    public var isDisabled = false
    public var tag: AnyHashable?
    public var shortcut: KeyboardShortcut?
    /// The title of a window.
    public var title: String?
    /// The actions of the user on the element: press it, toggle it, type into it, or choose in it.
    public var press: (() -> Void)?
    public var write: ((String) -> Void)?
    public var choose: ((AnyHashable) -> Void)?
    public var isOn: Bool?
    public var submit: (() -> Void)?
    public var refresh: (@MainActor () async -> Void)?
    /// The system's action for a URL that the app receives.
    public var open: ((URL) -> Void)?
    public var appear: [() -> Void] = []
    public var tasks: [@MainActor () async -> Void] = []

    public init(_ kind: Kind, _ text: String = "", children: [Node] = []) {
        self.kind = kind
        self.text = text
        self.children = children
    }

    /// This node and all its descendants.
    public var all: [Node] { [self] + children.flatMap(\.all) }

    /// The name that a screen reader reads aloud.
    public var name: String {
        if let label { return label }
        guard text.isEmpty else { return text }
        return children.filter { !$0.isHidden }.map(\.name).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    mutating func disable() {
        isDisabled = true
        for index in children.indices { children[index].disable() }
    }
}
