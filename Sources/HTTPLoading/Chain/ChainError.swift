/// An error for a chain whose loaders are in the wrong order, so that one of them could not work as documented.
public struct ChainError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// Creates an error if the order of the loaders is wrong; returns nil if it is right.
    package init?(orderOf loaders: [any Loader]) {
        let placed = loaders.compactMap { loader in loader.position.map { (name: "\(type(of: loader))", position: $0) } }
        for (front, behind) in zip(placed, placed.dropFirst()) {
            if front.position > behind.position {
                let right = placed.map(\.position).sorted().map(\.name)
                description = """
                    \(behind.name) (\(behind.position)) must come before \(front.name) (\(front.position)); \
                    the right order is: \(right.joined(separator: ", "))
                    """
                return
            }
            if front.position == behind.position, !front.position.mayRepeat {
                description = "\(front.name) and \(behind.name) are both \(front.position) loaders, but a chain can only have one"
                return
            }
        }
        return nil
    }
}
