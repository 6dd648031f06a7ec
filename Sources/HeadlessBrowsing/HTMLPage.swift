/// A page as a client without layout and scripts sees it: its title, its text and its forms.
struct HTMLPage {
    private(set) var title = ""
    /// The text of the page, with single spaces between words.
    private(set) var text = ""
    /// The text of the elements that the page marks as messages for the user: with the role `alert`, or as a live region.
    private(set) var problem = ""
    private(set) var forms: [HTMLForm] = []
    /// The ticket with which a listener's page passes on its fragment.
    private(set) var fragmentTicket: String?
    /// The target of a `refresh`.
    private(set) var refresh: String?
    /// The URLs of the pages that it loads in frames.
    private(set) var frames: [String] = []

    init(_ html: String) {
        var reader = FormReader()
        var element = ""
        var alert: OpenElement?
        for token in HTMLTokens(html) {
            reader.take(token)
            alert?.take(token)
            if alert?.depth == 0 { alert = nil }
            if alert == nil, case .start(let name, let attributes) = token, Self.isMessage(name, attributes) {
                alert = OpenElement(name: name)
            }
            if alert != nil, case .text(let words) = token { problem += " " + words }
            switch token {
            case .start("meta", let attributes) where attributes["http-equiv"]?.lowercased() == "refresh":
                refresh = Self.refreshTarget(attributes["content"] ?? "")
            case .start("meta", let attributes) where attributes["name"] == "ticket": fragmentTicket = attributes["content"]
            case .start("iframe", let attributes): frames += [attributes["src"]].compactMap(\.self)
            case .start(let name, _): element = name
            case .end: element = ""
            case .text(let words) where element == "title": title = words.singleSpaced
            case .text(let words): text += " " + words
            }
        }
        text = text.singleSpaced
        problem = problem.singleSpaced
        forms = reader.finished()
    }

    /// An element whose end tag has not been read yet.
    private struct OpenElement {
        let name: String
        var depth = 1

        mutating func take(_ token: HTMLToken) {
            switch token {
            case .start(name, _): depth += 1
            case .end(name): depth -= 1
            default: break
            }
        }
    }

    private static func isMessage(_ element: String, _ attributes: [String: String]) -> Bool {
        guard !["input", "img", "br", "hr", "meta", "link"].contains(element) else { return false }
        return attributes["role"]?.lowercased() == "alert" || ["polite", "assertive"].contains(attributes["aria-live"]?.lowercased())
    }

    private static func refreshTarget(_ content: String) -> String? {
        guard let range = content.lowercased().firstRange(of: "url=") else { return nil }
        let start = content.index(
            content.startIndex, offsetBy: content.lowercased().distance(from: content.startIndex, to: range.upperBound))
        return content[start...].filter { !"'\" ".contains($0) }
    }
}

/// A form with its preset values.
struct HTMLForm: Equatable {
    struct Field: Equatable {
        let name: String
        var value: String
        /// The `type`, or the name of the element: `password`, `hidden`, `text`, `select`.
        let kind: String
    }

    struct Button: Equatable {
        let name: String?
        let value: String
        let label: String
        let action: String?
    }

    var action: String?
    var isPost = false
    var id: String?
    var fields: [Field] = []
    var buttons: [Button] = []

    var hasPassword: Bool { fields.contains { $0.kind == "password" } }
}

/// A parser that collects forms from tokens.
private struct FormReader {
    private var forms: [HTMLForm] = []
    private var open: Int?
    private var button: (form: Int, name: String?, value: String, action: String?, label: String)?
    private var select: (form: Int, name: String, value: String?, options: [String])?
    private var textArea: (form: Int, name: String, value: String)?

    mutating func take(_ token: HTMLToken) {
        switch token {
        case .start("form", let attributes):
            forms.append(
                HTMLForm(action: attributes["action"], isPost: attributes["method"]?.lowercased() == "post", id: attributes["id"]))
            open = forms.count - 1
        case .end("form"): open = nil
        case .start(let name, let attributes): begin(name, attributes)
        case .text(let text):
            button?.label += text
            textArea?.value += text
        case .end("button"): endButton()
        case .end("select"): endSelect()
        case .end("textarea"):
            if let textArea { forms[textArea.form].fields.append(.init(name: textArea.name, value: textArea.value, kind: "textarea")) }
            textArea = nil
        case .end: break
        }
    }

    mutating func finished() -> [HTMLForm] {
        endButton()
        return forms
    }

    private mutating func begin(_ element: String, _ attributes: [String: String]) {
        let owner = attributes["form"].flatMap { id in forms.firstIndex { $0.id == id } } ?? open
        guard let owner, attributes["disabled"] == nil else { return }
        switch element {
        case "input": addInput(attributes, to: owner)
        case "button" where (attributes["type"] ?? "submit").lowercased() == "submit":
            endButton()
            button = (owner, attributes["name"], attributes["value"] ?? "", attributes["formaction"], "")
        case "select":
            if let name = attributes["name"] { select = (owner, name, nil, []) }
        case "option":
            let value = attributes["value"] ?? ""
            select?.options.append(value)
            if attributes["selected"] != nil { select?.value = value }
        case "textarea":
            if let name = attributes["name"] { textArea = (owner, name, "") }
        default: break
        }
    }

    private mutating func addInput(_ attributes: [String: String], to form: Int) {
        let kind = (attributes["type"] ?? "text").lowercased()
        let value = attributes["value"]
        switch kind {
        case "submit", "image":
            forms[form].buttons.append(
                .init(name: attributes["name"], value: value ?? "", label: value ?? "", action: attributes["formaction"]))
        case "button", "reset", "file": break
        default:
            guard let name = attributes["name"], !name.isEmpty else { return }
            // All checkboxes are checked, for example the scopes to allow; of radio buttons, the preset one is chosen.
            if kind == "radio", attributes["checked"] == nil { return }
            let isTick = kind == "checkbox" || kind == "radio"
            forms[form].fields.append(.init(name: name, value: value ?? (isTick ? "on" : ""), kind: kind))
        }
    }

    private mutating func endButton() {
        guard let button else { return }
        let label = button.label.singleSpaced
        forms[button.form].buttons.append(.init(name: button.name, value: button.value, label: label, action: button.action))
        self.button = nil
    }

    private mutating func endSelect() {
        guard let select else { return }
        forms[select.form].fields.append(.init(name: select.name, value: select.value ?? select.options.first ?? "", kind: "select"))
        self.select = nil
    }
}

extension String {
    fileprivate var singleSpaced: String {
        split { $0.isWhitespace }.joined(separator: " ")
    }
}
