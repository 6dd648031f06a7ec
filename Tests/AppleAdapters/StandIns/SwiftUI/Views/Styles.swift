public import Foundation

public protocol ShapeStyle: Sendable {}

public struct Color: ShapeStyle, Primitive {
    public static let orange = Color()
    public static let red = Color()

    public func opacity(_ opacity: Double) -> Color { self }

    public func nodes(in place: Place) -> [Node] { [] }
}

extension ShapeStyle where Self == Color {
    public static var orange: Color { Color() }
    public static var red: Color { Color() }
}

public struct HierarchicalShapeStyle: ShapeStyle {}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
}

public struct TintShapeStyle: ShapeStyle {}

extension ShapeStyle where Self == TintShapeStyle {
    public static var tint: TintShapeStyle { TintShapeStyle() }
}

public protocol Shape: Sendable, View {}
public protocol InsettableShape: Shape {}

public struct Circle: InsettableShape, Primitive {
    public init() {}

    public func nodes(in place: Place) -> [Node] { [] }
}

public struct RoundedRectangle: InsettableShape, Primitive {
    public init(cornerRadius: CGFloat) {}

    public func nodes(in place: Place) -> [Node] { [] }
}

public enum HorizontalAlignment: Sendable { case leading, center, trailing }
public enum VerticalAlignment: Sendable { case top, center, bottom, firstTextBaseline }
public enum TextAlignment: Sendable { case leading, center, trailing }
public enum Visibility: Sendable { case automatic, visible, hidden }
public struct Alignment: Sendable { public static let center = Alignment() }

public enum Edge: Int8, CaseIterable, Sendable {
    case top, leading, bottom, trailing

    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8

        public init(rawValue: Int8) {
            self.rawValue = rawValue
        }

        public static let all = Set(rawValue: 15)
        public static let vertical = Set(rawValue: 5)
    }
}
