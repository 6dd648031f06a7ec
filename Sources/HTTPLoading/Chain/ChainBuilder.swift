/// A result builder for the loaders of a chain that supports conditions and loops.
@resultBuilder
public enum ChainBuilder {
    /// Adds a loader.
    public static func buildExpression(_ loader: any Loader) -> [any Loader] { [loader] }
    /// Adds an optional loader, or nothing if it is nil.
    public static func buildExpression(_ loader: (any Loader)?) -> [any Loader] { loader.map { [$0] } ?? [] }
    /// Adds all loaders of an array, in its order.
    public static func buildExpression(_ loaders: [any Loader]) -> [any Loader] { loaders }
    /// Combines the loaders of consecutive statements, the first of them outermost.
    public static func buildBlock(_ parts: [any Loader]...) -> [any Loader] { parts.flatMap { $0 } }
    /// Supports `if` without `else`, which adds nothing if the condition is false.
    public static func buildOptional(_ part: [any Loader]?) -> [any Loader] { part ?? [] }
    /// Supports the first branch of `if`–`else` and `switch`.
    public static func buildEither(first part: [any Loader]) -> [any Loader] { part }
    /// Supports the second branch of `if`–`else` and `switch`.
    public static func buildEither(second part: [any Loader]) -> [any Loader] { part }
    /// Supports `for` loops, which add the loaders of every iteration.
    public static func buildArray(_ parts: [[any Loader]]) -> [any Loader] { parts.flatMap { $0 } }
}
