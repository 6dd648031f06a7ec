import AuthHubPrimitives
import ArgumentParser

/// The options that select an account.
struct AccountOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("The account's label, as set with login (default: see \"authhub help accounts\").", valueName: "name"),
        completion: .accounts)
    var typedLabel: String?

    var label: String { typedLabel ?? Self.defaultLabel }

    static let defaultLabel = "default"

    @OptionGroup var storage: StoreOptions

    /// The options ` --as NAME` and ` --store STORE`, if required.
    var suffix: String { Self.suffix(label) + storage.suffix }

    /// - Parameter isExplicit: Whether to name even the account that is used without the option.
    static func suffix(_ label: String, isExplicit: Bool = false) -> String {
        if !isExplicit, label == defaultLabel, !AccountEnvironment.current.nameAnotherAccount { return "" }
        return label.hasPrefix("-") ? " --as=\(label.shellWord)" : " --as \(label.shellWord)"
    }

    func validate() throws { try Self.check(label) }

    /// Returns the options for another account in the same store.
    func naming(_ label: String) -> Self {
        var options = self
        options.typedLabel = label
        return options
    }

    /// Checks a label.
    ///
    /// - Throws: ``ValidationError`` if it cannot be typed into a shell without quoting.
    static func check(_ label: String) throws {
        guard !label.isEmpty, label.utf8.count <= 100, label.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"'\"\\$`".utf8.contains($0) })
        else { throw ValidationError("The label must be 1 to 100 visible ASCII characters without quotes, as in --as work.") }
    }
}
