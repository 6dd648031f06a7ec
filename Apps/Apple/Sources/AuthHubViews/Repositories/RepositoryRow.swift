#if canImport(SwiftUI)
import AuthHubApp
import Foundation
import SwiftUI

/// A repository. Assistive technologies read its name first, then the rest.
struct RepositoryRow: View {
    let line: RepositoryLine

    var body: some View {
        VStack(alignment: .leading, spacing: 4) {
            HStack(spacing: 6) {
                Text(verbatim: line.name).font(.headline)
                if line.visibility != nil {
                    Image(systemName: "lock.fill")
                        .font(.caption)
                        .foregroundStyle(.secondary)
                }
            }
            if let about = line.about {
                Text(verbatim: about).lineLimit(2)
            }
            Text(verbatim: line.details)
                .font(.caption)
                .foregroundStyle(.secondary)
        }
        .padding(.vertical, 4)
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(Text(verbatim: line.name))
        .accessibilityValue(Text(verbatim: [line.about, line.spoken].compactMap { $0 }.joined(separator: ". ")))
    }
}
#endif
