import AuthHubPrimitives

/// The user's rules for commands without `--as`: the current account, and the accounts of addresses and folders.
///
/// A rule only chooses among the accounts. It never determines where a token is sent.
struct AccountRules: Sendable, Equatable {
    /// An account for the requests to a server, or to a part of it.
    struct Binding: Sendable, Equatable {
        let origin: Origin
        /// The beginning of the path, without a slash at its end; empty for the whole server.
        let path: String
        let account: String
    }

    /// The account to use if nothing else decides; nil for the label `default`.
    var current: String?
    var bindings: [Binding] = []
    /// The accounts of folders, by the folder's path without symbolic links.
    var folders: [String: String] = [:]
}

extension AccountRules {
    /// Returns the binding for a request. That with the longest path decides.
    func binding(for target: RequestTarget) -> Binding? {
        guard let origin = Origin(target) else { return nil }
        let path = target.path.prefix { $0 != "?" }
        let fitting = bindings.filter { binding in
            binding.origin == origin && (path == binding.path || path.hasPrefix(binding.path + "/"))
        }
        return fitting.max { $0.path.utf8.count < $1.path.utf8.count }
    }

    /// Adds a binding, which replaces that of the same address.
    mutating func bind(_ binding: Binding) {
        unbind(binding.origin, path: binding.path)
        bindings.append(binding)
    }

    /// Removes the binding of an address.
    ///
    /// - Returns: The binding; nil if there is none.
    @discardableResult
    mutating func unbind(_ origin: Origin, path: String) -> Binding? {
        guard let index = bindings.firstIndex(where: { $0.origin == origin && $0.path == path }) else { return nil }
        return bindings.remove(at: index)
    }

    /// Changes the label of an account.
    mutating func rename(_ old: String, to new: String) {
        if current == old { current = new }
        bindings = bindings.map { $0.account == old ? Binding(origin: $0.origin, path: $0.path, account: new) : $0 }
        folders = folders.mapValues { $0 == old ? new : $0 }
    }

    /// Removes the rules for accounts that do not exist.
    mutating func keep(only labels: Set<String>) {
        if let label = current, !labels.contains(label) { current = nil }
        bindings.removeAll { !labels.contains($0.account) }
        folders = folders.filter { labels.contains($0.value) }
    }
}

extension AccountRules.Binding {
    /// The address, in words.
    var address: String { "\(origin)\(path)" }

    /// The options of `accounts bind` for the address.
    var options: String {
        let origin = origin.description
        let host = origin.hasPrefix("https://") ? String(origin.dropFirst("https://".count)) : origin
        return " --host \(host.shellWord)" + (path.isEmpty ? "" : " --path \(path.shellWord)")
    }
}

extension AccountRules {
    private static let format: Int64 = 1

    /// The contents of the file that stores the rules.
    var json: JSONValue {
        var object = JSONObject()
        object["format"] = .number(JSONNumber(Self.format))
        object["current"] = current.map(JSONValue.string)
        object["bindings"] = .array(
            bindings.map { ["origin": .string($0.origin.description), "path": .string($0.path), "account": .string($0.account)] })
        object["folders"] = .array(
            folders.sorted { $0.key < $1.key }.map { ["path": .string($0.key), "account": .string($0.value)] })
        return .object(object)
    }

    /// Creates rules from the contents of a file; nil if they are damaged or have a newer format.
    init?(json bytes: [UInt8]) {
        guard let object = try? JSONValue(strict: bytes.withoutByteOrderMark), object["format"]?.number?.int64 == Self.format,
            let entries = object["bindings"]?.array
        else { return nil }
        current = object["current"]?.string
        for entry in entries {
            guard let origin = (entry["origin"]?.string).flatMap({ Origin(url: $0) }), let path = entry["path"]?.string,
                let account = entry["account"]?.string
            else { return nil }
            bindings.append(Binding(origin: origin, path: path, account: account))
        }
        for entry in object["folders"]?.array ?? [] {
            guard let path = entry["path"]?.string, let account = entry["account"]?.string else { return nil }
            folders[path] = account
        }
    }
}

extension Origin {
    /// Creates the origin of a target; nil if the target is only a path.
    init?(_ target: RequestTarget) {
        guard let scheme = target.scheme, let authority = target.authority else { return nil }
        self.init(scheme: scheme, authority: authority)
    }
}
