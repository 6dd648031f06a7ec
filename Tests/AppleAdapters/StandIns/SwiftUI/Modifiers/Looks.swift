public import Foundation

// Modifiers that only affect appearance change nothing here.
extension View {
    public func font(_ font: Font?) -> some View { self }

    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { self }

    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { self }

    public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View { self }

    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { self }

    public func background<S: ShapeStyle, T: InsettableShape>(_ style: S, in shape: T) -> some View { self }

    public func clipShape<S: Shape>(_ shape: S) -> some View { self }

    public func scaledToFill() -> some View { self }

    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { self }

    public func lineLimit(_ number: Int?) -> some View { self }

    public func listRowSeparator(_ visibility: Visibility) -> some View { self }

    public func controlSize(_ controlSize: ControlSize) -> some View { self }

    public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { self }

    public func toggleStyle<S: ToggleStyle>(_ style: S) -> some View { self }

    public func textFieldStyle<S: TextFieldStyle>(_ style: S) -> some View { self }

    public func textSelection<S: TextSelectability>(_ selectability: S) -> some View { self }
}

public enum ControlSize: Sendable { case mini, small, regular, large }

public protocol PrimitiveButtonStyle {}

public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: Self { Self() }
}

public protocol ToggleStyle {}

public struct SwitchToggleStyle: ToggleStyle {}

extension ToggleStyle where Self == SwitchToggleStyle {
    public static var `switch`: Self { Self() }
}

public protocol TextFieldStyle {}

public struct RoundedBorderTextFieldStyle: TextFieldStyle {}

extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    public static var roundedBorder: Self { Self() }
}

public protocol TextSelectability {}

public struct EnabledTextSelectability: TextSelectability {}

extension TextSelectability where Self == EnabledTextSelectability {
    public static var enabled: Self { Self() }
}
