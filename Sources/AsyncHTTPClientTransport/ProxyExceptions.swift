package import AuthHubPrimitives
import Platform

/// The hosts that are reached without a proxy, as in the variable `NO_PROXY` of curl.
///
/// The list has names, which include their subdomains (`example.com` and `.example.com` mean the same), IP addresses and networks
/// (`10.0.0.0/8`), separated by commas or spaces. A port after a name or an address limits the entry to that port. `*` stands for all hosts.
package struct ProxyExceptions: Sendable, Hashable {
    private enum Entry: Hashable {
        case all
        case name(String, port: Int?)
        case network([UInt8], bits: Int, port: Int?)
    }

    private let entries: [Entry]

    /// Creates the exceptions. Entries that match no host are ignored.
    package init(_ list: String) {
        entries = list.lowercased().split { $0 == "," || $0.isWhitespace }.compactMap { Self.entry(String($0)) }
    }

    /// Returns whether requests to an origin are sent without a proxy.
    package func contains(_ origin: Origin) -> Bool {
        let host = origin.host.hasSuffix(".") ? String(origin.host.dropLast()) : origin.host
        let address = Self.address(host.withoutBrackets)
        return entries.contains { entry in
            switch entry {
            case .all: true
            case .name(let name, let port):
                (port ?? origin.port) == origin.port && address == nil && (host == name || host.hasSuffix("." + name))
            case .network(let network, let bits, let port):
                (port ?? origin.port) == origin.port && address.map { Self.isInside($0, network, bits) } ?? false
            }
        }
    }

    private static func entry(_ text: String) -> Entry? {
        if text == "*" { return .all }
        if let slash = text.lastIndex(of: "/") {
            guard let network = address(String(text[..<slash]).withoutBrackets), let bits = Int(text[text.index(after: slash)...]),
                (0...network.count * 8).contains(bits)
            else { return nil }
            return .network(network, bits: bits, port: nil)
        }
        if let whole = address(text.withoutBrackets) { return .network(whole, bits: whole.count * 8, port: nil) }
        var (host, port) = (text, Int?.none)
        if let colon = text.lastIndex(of: ":") {
            guard let number = Int(text[text.index(after: colon)...]) else { return nil }
            (host, port) = (String(text[..<colon]), number)
        }
        if let whole = address(host.withoutBrackets) { return .network(whole, bits: whole.count * 8, port: port) }
        if host.hasPrefix("*.") { host.removeFirst() }
        while host.hasPrefix(".") { host.removeFirst() }
        while host.hasSuffix(".") { host.removeLast() }
        return host.isEmpty ? nil : .name(host, port: port)
    }

    /// Returns the bytes of an IP address; nil for a name.
    private static func address(_ text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }

    private static func isInside(_ address: [UInt8], _ network: [UInt8], _ bits: Int) -> Bool {
        guard address.count == network.count else { return false }
        return (0..<bits).allSatisfy { bit in
            let mask: UInt8 = 0x80 >> UInt8(bit % 8)
            return (address[bit / 8] ^ network[bit / 8]) & mask == 0
        }
    }
}

extension String {
    fileprivate var withoutBrackets: String { hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self }
}
