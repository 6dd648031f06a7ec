/// A result builder for the loaders of a chain that supports conditions and loops.
@resultBuilder
public enum ChainBuilder {
    public static func buildExpression(_ loader: any Loader) -> [any Loader] { [loader] }
    public static func buildExpression(_ loader: (any Loader)?) -> [any Loader] { loader.map { [$0] } ?? [] }
    public static func buildExpression(_ loaders: [any Loader]) -> [any Loader] { loaders }
    public static func buildBlock(_ parts: [any Loader]...) -> [any Loader] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [any Loader]?) -> [any Loader] { part ?? [] }
    public static func buildEither(first part: [any Loader]) -> [any Loader] { part }
    public static func buildEither(second part: [any Loader]) -> [any Loader] { part }
    public static func buildArray(_ parts: [[any Loader]]) -> [any Loader] { parts.flatMap { $0 } }
    public static func buildLimitedAvailability(_ part: [any Loader]) -> [any Loader] { part }
}
