import Foundation
import Synchronization

/// The effects of the calls on the items. A query finds the items that have all of its attributes.
extension PretendKeychain {
    private static let texts: Set = [kSecAttrAccessible, kSecAttrAccount, kSecAttrComment, kSecAttrService]
    private static let data: Set = [kSecAttrGeneric, kSecValueData]
    private static let others: Set = [
        kSecClass, kSecUseDataProtectionKeychain, kSecAttrSynchronizable, kSecAttrAccessGroup, kSecMatchLimit, kSecReturnAttributes,
        kSecReturnData,
    ]

    func add(_ attributes: CFDictionary) -> OSStatus {
        if let status = begin(.add, attributes) { return status }
        guard let new = Self.item(attributes), new.texts[kSecAttrAccessible] != nil else { return errSecParam }
        return state.withLock { state in
            guard !state.items.contains(where: { $0.isSame(as: new) }) else { return errSecDuplicateItem }
            state.items.append(new)
            return errSecSuccess
        }
    }

    func copy(_ query: CFDictionary) -> (OSStatus, Any?) {
        if let status = begin(.copy, query) { return (status, nil) }
        let isAll = query[kSecMatchLimit] as? String == kSecMatchLimitAll
        let wantsData = query[kSecReturnData] as? Bool == true
        // As on macOS, a single call does not return the values of several passwords.
        guard Self.item(query) != nil, !(isAll && wantsData), query[kSecReturnAttributes] as? Bool == true else {
            return (errSecParam, nil)
        }
        let found = state.withLock { state in state.items.filter { $0.matches(query) } }.map { $0.attributes(withValue: wantsData) }
        guard let first = found.first else { return (errSecItemNotFound, nil) }
        return (errSecSuccess, isAll ? found : first)
    }

    func update(_ query: CFDictionary, _ changes: CFDictionary) -> OSStatus {
        if let status = begin(.update, query) { return status }
        guard Self.item(query) != nil, let change = Self.item(changes), changes[kSecClass] == nil else { return errSecParam }
        return state.withLock { state in
            let found = state.items.indices.filter { state.items[$0].matches(query) }
            for index in found {
                state.items[index].texts.merge(change.texts) { $1 }
                state.items[index].data.merge(change.data) { $1 }
            }
            return found.isEmpty ? errSecItemNotFound : errSecSuccess
        }
    }

    func delete(_ query: CFDictionary) -> OSStatus {
        if let status = begin(.delete, query) { return status }
        guard Self.item(query) != nil else { return errSecParam }
        return state.withLock { state in
            let count = state.items.count
            state.items.removeAll { $0.matches(query) }
            return state.items.count == count ? errSecItemNotFound : errSecSuccess
        }
    }

    /// nil for attributes that do not exist, or have a wrong type.
    private static func item(_ attributes: CFDictionary) -> Item? {
        var item = Item(accessGroup: attributes[kSecAttrAccessGroup] as? String ?? ownGroup, texts: [:], data: [:])
        for (name, value) in attributes {
            if texts.contains(name), let text = value as? String {
                item.texts[name] = text
            } else if data.contains(name), let data = value as? Data {
                item.data[name] = data
            } else if !others.contains(name) {
                return nil
            }
        }
        return item
    }
}

extension PretendKeychain.Item {
    /// The attributes that identify a generic password.
    func isSame(as other: Self) -> Bool {
        accessGroup == other.accessGroup && texts[kSecAttrService] == other.texts[kSecAttrService]
            && texts[kSecAttrAccount] == other.texts[kSecAttrAccount]
    }

    func matches(_ query: CFDictionary) -> Bool {
        if let group = query[kSecAttrAccessGroup] as? String, group != accessGroup { return false }
        return query.allSatisfy { name, value in
            if let text = value as? String, texts[name] != nil { return texts[name] == text }
            if let wanted = value as? Data { return data[name] == wanted }
            return true
        }
    }

    func attributes(withValue: Bool) -> [String: Any] {
        var attributes: [String: Any] = texts
        for (name, value) in data where withValue || name != kSecValueData { attributes[name] = value }
        attributes[kSecAttrAccessGroup] = accessGroup
        return attributes
    }
}
