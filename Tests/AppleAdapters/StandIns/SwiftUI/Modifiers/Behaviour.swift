public import Foundation

extension View {
    public func id<ID: Hashable>(_ id: ID) -> some View {
        Identified(content: self, id: id)
    }

    public func tag<V: Hashable>(_ tag: V) -> some View { each { $0.tag = AnyHashable(tag) } }

    public func disabled(_ disabled: Bool) -> some View {
        each { if disabled { $0.disable() } }
    }

    public func keyboardShortcut(_ shortcut: KeyboardShortcut) -> some View { each { $0.shortcut = shortcut } }

    public func keyboardShortcut(_ shortcut: KeyboardShortcut?) -> some View { each { $0.shortcut = shortcut } }

    public func keyboardShortcut(_ key: KeyEquivalent, modifiers: EventModifiers = .command) -> some View {
        keyboardShortcut(KeyboardShortcut(key, modifiers: modifiers))
    }

    public func onSubmit(_ action: @escaping () -> Void) -> some View { each { $0.submit = action } }

    public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        group { if let action { $0.appear.append(action) } }
    }

    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { group { $0.open = action } }

    public func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        group { $0.tasks.append { await action() } }
    }

    public func task<T: Equatable>(
        id value: T, priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        group { $0.tasks.append { await action() } }
    }

    public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
    ) -> some View {
        group {
            var field = Node(.searchField, prompt.text)
            field.value = text.wrappedValue
            field.write = { text.wrappedValue = $0 }
            $0.children.append(field)
        }
    }

    public func refreshable(action: @escaping @Sendable () async -> Void) -> some View {
        group { $0.refresh = { await action() } }
    }

    public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { group { $0.title = titleKey.text } }

    @_disfavoredOverload
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { group { $0.title = String(title) } }
}

public struct SearchFieldPlacement: Sendable {
    public static let automatic = Self()
}

/// A task that restarts when its ID changes.
struct Identified<Content: View, ID: Hashable>: Primitive {
    let content: Content
    let id: ID

    func nodes(in place: Place) -> [Node] { content.nodes(in: place.child(id)) }
}

public struct KeyEquivalent: Hashable, Sendable, ExpressibleByExtendedGraphemeClusterLiteral {
    public let character: Character

    public init(extendedGraphemeClusterLiteral character: Character) {
        self.character = character
    }

    static let `return`: KeyEquivalent = "\r"
    static let escape: KeyEquivalent = "\u{1B}"
}

public struct EventModifiers: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let command = EventModifiers(rawValue: 16)
}

public struct KeyboardShortcut: Hashable, Sendable {
    public static let defaultAction = KeyboardShortcut(.return, modifiers: [])
    public static let cancelAction = KeyboardShortcut(.escape, modifiers: [])

    public let key: KeyEquivalent
    public let modifiers: EventModifiers

    public init(_ key: KeyEquivalent, modifiers: EventModifiers = .command) {
        self.key = key
        self.modifiers = modifiers
    }
}
