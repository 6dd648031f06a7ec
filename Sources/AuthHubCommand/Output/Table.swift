/// Rows in aligned columns, cut to the width of the terminal.
struct Table {
    struct Column {
        let title: String
        var isRightAligned = false
        /// The minimum width of the column that shrinks if the terminal is narrow.
        var minimumWidth: Int?
        /// Whether a text that is too wide loses its middle instead of its end: URLs of servers often differ only in their last part.
        var keepsEnd = false
        var tints: [Style.Tint] = []
    }

    let columns: [Column]
    var rows: [[String]] = []

    private static let gap = "  "

    /// Returns the formatted table.
    ///
    /// - Parameter width: The width of the terminal; if nil, nothing is cut.
    func rendered(_ style: Style, width: Int?) -> String {
        let widths = widths(in: width)
        let heads = line(columns.map(\.title), widths) { text, _ in style(text, .bold) }
        let lines = rows.map { row in line(row, widths) { text, column in column.tints.reduce(text) { style($0, $1) } } }
        return ([heads] + lines).joined(separator: "\n")
    }

    private func widths(in width: Int?) -> [Int] {
        var widths = columns.indices.map { index in
            ([columns[index].title] + rows.map { $0[index] }).map(\.displayWidth).max() ?? 0
        }
        guard let width else { return widths }
        let excess = widths.reduce(0, +) + Self.gap.count * (columns.count - 1) - width
        if excess > 0, let flexible = columns.firstIndex(where: { $0.minimumWidth != nil }), let minimum = columns[flexible].minimumWidth {
            widths[flexible] = max(min(minimum, widths[flexible]), widths[flexible] - excess)
        }
        return widths
    }

    private func line(_ row: [String], _ widths: [Int], tint: (String, Column) -> String) -> String {
        var cells: [String] = []
        for (index, text) in row.enumerated() {
            let cut = columns[index].keepsEnd ? text.cutInside(toWidth: widths[index]) : text.cut(toWidth: widths[index])
            let padding = String(repeating: " ", count: max(0, widths[index] - cut.displayWidth))
            let cell = tint(cut, columns[index])
            let isLast = index == row.count - 1
            cells.append(columns[index].isRightAligned ? padding + cell : cell + (isLast ? "" : padding))
        }
        var line = cells.joined(separator: Self.gap)
        while line.last == " " { line.removeLast() }
        return line
    }
}
