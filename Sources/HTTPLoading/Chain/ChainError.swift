/// An error for a chain whose loaders are in the wrong order, so that one of them could not work as documented.
public struct ChainError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// Creates an error if the order of the loaders is wrong; returns nil if it is right.
    package init?(orderOf loaders: [any Loader]) {
        let placed = loaders.compactMap { loader in loader.place.map { (name: "\(type(of: loader))", place: $0) } }
        for (front, behind) in zip(placed, placed.dropFirst()) {
            if front.place > behind.place {
                let right = placed.map(\.place).sorted().map(\.name)
                description = """
                    \(behind.name) (\(behind.place)) must come before \(front.name) (\(front.place)); \
                    the right order is: \(right.joined(separator: ", "))
                    """
                return
            }
            if front.place == behind.place, !front.place.mayRepeat {
                description = "\(front.name) and \(behind.name) are both \(front.place) loaders, but a chain can only have one"
                return
            }
        }
        return nil
    }
}
