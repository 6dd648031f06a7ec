#if !canImport(Darwin)
import CredentialStorage
import AuthHubPrimitives

extension ServiceSession {
    private static let collection = "org.freedesktop.Secret.Collection"
    private static let item = "org.freedesktop.Secret.Item"
    /// The D-Bus type of a secret: session, parameters, the encrypted bytes, their content type.
    private static let secret = "(oayays)"

    /// Returns the paths of the items that have all these attributes.
    func items(_ attributes: [(String, String)], in collection: String) throws(CredentialStoreError) -> [String] {
        let found =
            try call(
                "SearchItems", of: Self.collection, at: collection, [library.texts(attributes)], reply: "(ao)"
            ).first?.children.compactMap(\.text) ?? []
        // If the keyring was locked between the check and the search, the search finds nothing.
        if found.isEmpty, try isLocked(collection) { throw ServiceFailure(.locked).storeError }
        return found
    }

    func attributes(of item: String) throws(CredentialStoreError) -> [String: String] {
        try property("Attributes", of: Self.item, at: item)?.texts ?? [:]
    }

    /// Returns the item that was changed last; all callers get the same one.
    func newest(of items: [String]) throws(CredentialStoreError) -> String? {
        guard items.count > 1 else { return items.first }
        var newest: (modified: UInt64, path: String)?
        for item in items {
            let modified = try property("Modified", of: Self.item, at: item)?.uint64 ?? 0
            if newest.map({ ($0.modified, $0.path) < (modified, item) }) ?? true { newest = (modified, item) }
        }
        return newest?.path
    }

    /// Returns the bytes of an item, decrypted into memory that the caller must wipe.
    func secret(of item: String) throws(CredentialStoreError) -> [UInt8] {
        guard let path = library.secrets.sessionPath(link.service.pointer) else { throw ServiceFailure(.unknownObject).storeError }
        let reply = try call("GetSecret", of: Self.item, at: item, [library.path(String(cString: path))], reply: "(\(Self.secret))")
        guard let encrypted = reply.first,
            let value = library.secrets.decode(link.service.pointer, encrypted.pointer)
        else { throw ServiceFailure(.unknownObject, "its reply cannot be decrypted").storeError }
        // Wipes the memory of the value.
        defer { library.secrets.releaseValue(value) }
        var count = 0
        guard let bytes = library.secrets.bytes(value, &count) else { return [] }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Replaces the bytes of an item atomically.
    func setSecret(_ bytes: [UInt8], of item: String) throws(CredentialStoreError) {
        _ = try call("SetSecret", of: Self.item, at: item, [try encrypted(bytes)], reply: "()")
    }

    /// Creates an item, and replaces one with the same attributes if there is one.
    func createItem(
        _ bytes: [UInt8], labelled label: String, _ attributes: [(String, String)], in collection: String
    ) throws(CredentialStoreError) {
        let properties = library.array(
            of: "{sv}",
            [
                library.entry(library.text("\(Self.item).Label"), library.boxed(library.text(label))),
                library.entry(library.text("\(Self.item).Attributes"), library.boxed(library.texts(attributes))),
            ])
        let reply = try call(
            "CreateItem", of: Self.collection, at: collection, [properties, try encrypted(bytes), library.boolean(true)], reply: "(oo)")
        try refusePrompt(reply)
    }

    func deleteItem(_ item: String) throws(CredentialStoreError) {
        try refusePrompt(call("Delete", of: Self.item, at: item, [], reply: "(o)"))
    }

    private func encrypted(_ bytes: [UInt8]) throws(CredentialStoreError) -> Variant {
        let value = bytes.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.flatMap { library.secrets.newValue($0, bytes.count, "application/octet-stream") }
        }
        guard let value else { throw ServiceFailure(.other, "there is no memory for the secret").storeError }
        // Wipes the memory of the value.
        defer { library.secrets.releaseValue(value) }
        guard let encrypted = Variant(library.secrets.encode(link.service.pointer, value), of: library) else {
            throw ServiceFailure(.other, "the secret cannot be encrypted").storeError
        }
        return encrypted
    }

    /// Rejects a prompt. The user is not asked in the middle of a change, while others wait for it.
    private func refusePrompt(_ reply: [Variant]) throws(CredentialStoreError) {
        guard let path = reply.last?.text, path != ServicePrompt.none else { return }
        ServicePrompt(path: path, session: self).dismiss()
        throw ServiceFailure(.locked, "the keyring's program asks the user to confirm every change").storeError
    }
}
#endif
