public struct Toggle<Label: View>: Primitive {
    private let isOn: Binding<Bool>
    private let label: Label

    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.isOn = isOn
        self.label = label()
    }

    public func nodes(in place: Place) -> [Node] {
        var node = Node(.toggle, children: label.nodes(in: place.child("label")))
        node.isOn = isOn.wrappedValue
        node.press = { isOn.wrappedValue.toggle() }
        return [node]
    }
}

public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: Primitive {
    private let title: String
    private let selection: Binding<SelectionValue>
    private let content: Content

    /// The value of the node is the selection; its children are the choices, with their tags.
    public func nodes(in place: Place) -> [Node] {
        var node = Node(.picker, title, children: content.nodes(in: place.child("content")))
        node.value = node.children.first { $0.tag == AnyHashable(selection.wrappedValue) }?.name
        node.choose = { tag in
            if let value = tag.base as? SelectionValue { selection.wrappedValue = value }
        }
        return [node]
    }
}

extension Picker where Label == Text {
    public init(_ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content) {
        title = titleKey.text
        self.selection = selection
        self.content = content()
    }
}

public struct SecureField<Label: View>: Primitive {
    private let title: String
    private let text: Binding<String>

    public func nodes(in place: Place) -> [Node] {
        var node = Node(.secureField, title)
        node.value = text.wrappedValue
        node.write = { text.wrappedValue = $0 }
        return [node]
    }
}

extension SecureField where Label == Text {
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        title = titleKey.text
        self.text = text
    }
}

public struct ProgressView<Label: View, CurrentValueLabel: View>: Primitive {
    private let label: Label

    public func nodes(in place: Place) -> [Node] { [Node(.progress, children: label.nodes(in: place.child("label")))] }
}

extension ProgressView where CurrentValueLabel == EmptyView {
    public init() where Label == EmptyView {
        label = EmptyView()
    }

    public init(_ titleKey: LocalizedStringKey) where Label == Text {
        label = Text(titleKey)
    }
}

public struct Menu<Label: View, Content: View>: Primitive {
    private let label: Label
    private let content: Content

    public func nodes(in place: Place) -> [Node] {
        var node = Node(.menu, children: content.nodes(in: place.child("content")))
        node.label = label.nodes(in: place.child("label")).map(\.name).joined()
        return [node]
    }
}

extension Menu where Label == SwiftUI.Label<Text, Image> {
    public init(_ titleKey: LocalizedStringKey, systemImage: String, @ViewBuilder content: () -> Content) {
        label = SwiftUI.Label(titleKey, systemImage: systemImage)
        self.content = content()
    }
}
