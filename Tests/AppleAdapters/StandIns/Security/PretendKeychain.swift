public import Foundation
import Synchronization

/// A stub for the system: the items of one service, and the faults that a test requests.
public final class PretendKeychain: Sendable {
    /// The adapter's calls.
    public enum Call: Sendable, Hashable {
        case add, copy, update, delete
    }

    struct Item: Equatable {
        /// The access group; as in Apple's keychain, every item has one, even if none was named.
        var accessGroup: String
        var texts: [String: String]
        var data: [String: Data]
    }

    struct State {
        var items: [Item] = []
        var isLocked = false
        var statuses: [OSStatus] = []
        var interruptions: [(call: Call, what: @Sendable (PretendKeychain) -> Void)] = []
        var calls: [Call] = []
    }

    private static let all = Mutex<[String: PretendKeychain]>([:])
    static let ownGroup = "ABCDE12345.own"
    let state = Mutex(State())

    /// The access groups that the program is entitled to use, including its own.
    private static let entitledGroups: Set = [ownGroup, "ABCDE12345.shared"]

    /// The keychain of a service.
    public static func of(service: String) -> PretendKeychain {
        all.withLock { all in
            if let known = all[service] { return known }
            let new = PretendKeychain()
            all[service] = new
            return new
        }
    }

    static func of(_ query: CFDictionary) -> PretendKeychain {
        of(service: query[kSecAttrService] as? String ?? "")
    }
}

/// The functions for tests.
extension PretendKeychain {
    public func lock(_ isLocked: Bool) { state.withLock { $0.isLocked = isLocked } }

    /// Makes the next call fail with this status, without any effect.
    public func fail(_ status: OSStatus) { state.withLock { $0.statuses.append(status) } }

    /// Runs a closure right before the next call of this kind.
    public func interrupt(_ call: Call, _ what: @escaping @Sendable (PretendKeychain) -> Void) {
        state.withLock { $0.interruptions.append((call, what)) }
    }

    public var calls: [Call] { state.withLock(\.calls) }

    public var count: Int { state.withLock(\.items.count) }

    public func removeAll() { state.withLock { $0.items = [] } }

    /// The attributes of all items, without their data.
    public var attributes: [[String: String]] { state.withLock { $0.items.map(\.texts) } }

    public var accessGroups: Set<String> { state.withLock { Set($0.items.map(\.accessGroup)) } }

    /// Changes an attribute of one account's item, or of all.
    public func spoil(_ attribute: CFString, of account: String? = nil, text: String) {
        change(account) { $0.texts[attribute] = text }
    }

    public func spoil(_ attribute: CFString, of account: String? = nil, data: (Data) -> Data) {
        change(account) { $0.data[attribute] = data($0.data[attribute] ?? Data()) }
    }

    private func change(_ account: String?, _ change: (inout Item) -> Void) {
        state.withLock { state in
            for index in state.items.indices where account == nil || state.items[index].texts[kSecAttrAccount] == account {
                change(&state.items[index])
            }
        }
    }

    /// Performs the fault or concurrent change that a test requested for this call.
    func begin(_ call: Call, _ query: CFDictionary) -> OSStatus? {
        let interruption = state.withLock { state in
            state.calls.append(call)
            return state.interruptions.firstIndex { $0.call == call }.map { state.interruptions.remove(at: $0).what }
        }
        interruption?(self)
        return state.withLock { state in
            if !state.statuses.isEmpty { return state.statuses.removeFirst() }
            if state.isLocked { return errSecInteractionNotAllowed }
            guard query[kSecClass] as? String == kSecClassGenericPassword, query[kSecUseDataProtectionKeychain] as? Bool == true,
                query[kSecAttrSynchronizable] as? Bool == false
            else { return errSecParam }
            if let group = query[kSecAttrAccessGroup] as? String, !Self.entitledGroups.contains(group) { return errSecMissingEntitlement }
            return nil
        }
    }
}
