/// The steps of the demonstration as shown to the user: one line each, once it has been checked.
struct DemoProgress: Sendable {
    enum Step: Int, Sendable, CaseIterable {
        case server = 1
        case request, page, use, refresh, signOut

        var name: String {
            switch self {
            case .server: "server"
            case .request: "request"
            case .page: "sign-in"
            case .use: "use"
            case .refresh: "refresh"
            case .signOut: "sign-out"
            }
        }
    }

    let console: Console

    func begin() {
        console.say(console.style("authhub demo", .bold) + ": one sign-in from end to end with a server in this process")
    }

    func done(_ step: Step, _ text: String) {
        console.say("\(console.style("✓", .green, .bold)) \(label(step))  \(text)")
    }

    func wait(_ text: String) {
        console.say("  \(console.style(text, .faint))")
    }

    func failed(_ step: Step) {
        console.say("\(console.style("✗", .red, .bold)) \(label(step))  \(console.style("failed", .red))")
    }

    /// Returns the rows of a table to show: on a terminal only the first ones, so that all results stay on one screen of 24 lines.
    func shownRows<Row>(of rows: [Row]) -> [Row] {
        console.columns == nil ? rows : Array(rows.prefix(2))
    }

    func end() {
        console.say("\n" + console.style("All \(Step.allCases.count) steps were checked against what the server saw.", .green))
    }

    private func label(_ step: Step) -> String {
        let name = "\(step.rawValue)/\(Step.allCases.count) \(step.name)"
        return console.style(name, .bold) + String(repeating: " ", count: max(0, 12 - name.count))
    }
}
