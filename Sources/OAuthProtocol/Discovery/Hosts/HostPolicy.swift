import AuthHubPrimitives

/// The hosts that may be requested because a resource names them: in `resource_metadata` of a challenge, or in `authorization_servers` of
/// its metadata.
///
/// Without this restriction, a malicious resource could make a program in a private network send requests to machines in that network, or
/// to the metadata service of its cloud provider (RFC 9728 §7.7).
public enum HostPolicy: Sendable, Hashable {
    /// Only hosts on the public internet: no private, link-local or loopback addresses, and no names such as `localhost`, `nas.local` or
    /// names without a dot.
    case publicHosts
    /// Hosts on the public internet and this machine, for development.
    case publicHostsAndLoopbackForDevelopment
    /// Any host, for programs in a private network that trust the resources they use.
    case anyHostEvenInPrivateNetworks

    /// Creates the policy for hosts that a resource names.
    ///
    /// - Parameter transport: The policy for URLs; during development on this machine, the resource may name this machine.
    package init(for transport: TransportPolicy, allowsPrivateServers: Bool = false) {
        self =
            allowsPrivateServers
            ? .anyHostEvenInPrivateNetworks
            : transport == .insecureHTTPOnLoopbackForDevelopment ? .publicHostsAndLoopbackForDevelopment : .publicHosts
    }

    /// Whether the host of an absolute URL may be requested.
    ///
    /// Decides by the text of the URL: addresses of private, link-local, loopback and other special networks are rejected in whatever form,
    /// and so are names that only such networks have (`localhost`, `.local`, `.internal`, names without a dot). Use ``allows(address:)``
    /// for the addresses that a name resolves to.
    package func allows(_ url: String) -> Bool {
        guard let origin = Origin(url: url) else { return false }
        return allows(HostPlace(host: origin.host))
    }

    /// Whether an address that a name resolved to may be requested.
    ///
    /// - Parameter address: An IP address as `getnameinfo` writes it: IPv4, or IPv6 without brackets.
    package func allows(address: String) -> Bool {
        allows(HostPlace(host: address.contains(":") ? "[\(address.prefix { $0 != "%" })]" : address))
    }

    private func allows(_ place: HostPlace) -> Bool {
        switch self {
        case .publicHosts: place == .everywhere
        case .publicHostsAndLoopbackForDevelopment: place != .special
        case .anyHostEvenInPrivateNetworks: true
        }
    }
}

/// The networks from which a host can be reached, as far as its name or IP address shows.
enum HostPlace: Sendable, Hashable {
    case everywhere, thisMachine, special

    /// - Parameter host: The host of a URL: a name, an IPv4 address, or an IPv6 address in brackets.
    init(host: String) {
        if host.hasPrefix("[") {
            self = IPAddress.v6(host.dropFirst().dropLast()).map(Self.init(v6:)) ?? .special
            return
        }
        let name = host.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        let labels = name.last?.isEmpty == true ? name.dropLast() : name[...]
        if let last = labels.last, last.first?.isNumber == true, IPAddress.number(last) != nil {
            self = IPAddress.v4(labels).map(Self.init(v4:)) ?? .special
            return
        }
        if labels.last == "localhost" {
            self = .thisMachine
        } else if labels.count < 2 || Self.privateNames.contains(where: { labels.suffix($0.count).elementsEqual($0) }) {
            self = .special
        } else {
            self = .everywhere
        }
    }

    /// RFC 6762, RFC 8375, RFC 9476 and the registry of special-use names; `internal` is reserved by ICANN for private use.
    private static let privateNames: [[Substring]] = [
        ["local"], ["internal"], ["home", "arpa"], ["lan"], ["intranet"], ["corp"], ["home"], ["alt"], ["onion"], ["invalid"], ["test"],
    ]

    /// The public address at which each machine of Azure reaches its own host, with that machine's credentials.
    private static let azureHost: (UInt32, UInt32) = (0xA83F_8110, 32)

    /// By the registry of special-purpose IPv4 addresses (RFC 6890), multicast and reserved blocks included.
    init(v4 address: UInt32) {
        let blocks: [(UInt32, UInt32)] = [
            (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0xA9FE_0000, 16), (0xAC10_0000, 12), (0xC000_0000, 24),
            (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xC633_6400, 24), (0xCB00_7100, 24),
            (0xE000_0000, 3), Self.azureHost,
        ]
        if address >> 24 == 127 {
            self = .thisMachine
        } else {
            self = blocks.contains { address >> (32 - $0.1) == $0.0 >> (32 - $0.1) } ? .special : .everywhere
        }
    }

    /// Only global unicast (2000::/3) is reachable from everywhere. An address that embeds an IPv4 address is treated like that IPv4
    /// address.
    init(v6 groups: [UInt16]) {
        let low = UInt32(groups[6]) << 16 | UInt32(groups[7])
        if groups.dropLast().allSatisfy({ $0 == 0 }), groups[7] == 1 {
            self = .thisMachine
        } else if groups.prefix(5).allSatisfy({ $0 == 0 }), groups[5] == 0xFFFF {
            self = HostPlace(v4: low)
        } else if groups.prefix(6).elementsEqual([0x64, 0xFF9B, 0, 0, 0, 0]) {
            self = HostPlace(v4: low)
        } else if groups[0] == 0x2002 {
            self = HostPlace(v4: UInt32(groups[1]) << 16 | UInt32(groups[2]))
        } else if groups[0] == 0x2001, groups[1] < 0x200 || groups[1] == 0xDB8 {
            self = .special
        } else if groups[0] == 0x3FFF, groups[1] < 0x1000 {
            // For documentation (RFC 9637).
            self = .special
        } else if groups[4] & 0xFDFF == 0, groups[5] == 0x5EFE {
            // ISATAP (RFC 5214 §6.1).
            self = HostPlace(v4: low)
        } else {
            self = groups[0] & 0xE000 == 0x2000 ? .everywhere : .special
        }
    }
}
