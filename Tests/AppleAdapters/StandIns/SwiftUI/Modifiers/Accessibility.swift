public struct AccessibilityTraits: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let isHeader = AccessibilityTraits(rawValue: 1)
}

public enum AccessibilityChildBehavior: Sendable { case ignore, contain, combine }

extension View {
    public func accessibilityHidden(_ hidden: Bool) -> some View { each { $0.isHidden = hidden } }

    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
        each { $0.isHeading = traits.contains(.isHeader) }
    }

    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
        group { $0.hidesChildren = children == .ignore }
    }

    public func accessibilityLabel(_ label: Text) -> some View { each { $0.label = label.text } }

    public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View { each { $0.label = labelKey.text } }

    public func accessibilityValue(_ value: Text) -> some View { each { $0.value = value.text } }

    public func accessibilityHint(_ hint: Text) -> some View { each { $0.hint = hint.text } }
}
