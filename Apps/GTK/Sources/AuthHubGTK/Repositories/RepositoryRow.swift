import AuthHubApp
import GTKWidgets

/// A repository in the list.
@MainActor
final class RepositoryRow: ListRow {
    private let name = Label().lines(1).atStart().style("heading")
    private let privateMark = Icon("changes-prevent-symbolic", accessibleName: "private").style("dim-label")
    private let about = Label().lines(2).atStart()
    private let details = Label().lines(1).atStart().style("caption", "dim-label")

    init() {
        let title = Box.horizontal(spacing: 6, name, privateMark)
        super.init(Box.vertical(spacing: 4, title, about, details).style("repository"))
    }

    func show(_ line: RepositoryLine) {
        name.text = line.name
        privateMark.setVisible(line.visibility != nil)
        about.text = line.about ?? ""
        about.setVisible(line.about != nil)
        details.text = line.details
        accessibleName(line.name)
        accessibleDescription([line.about, line.spoken].compactMap(\.self).joined(separator: "\n"))
    }
}
