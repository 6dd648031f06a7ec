#if canImport(SwiftUI)
import AuthHubApp
import SwiftUI

/// The last row: a progress indicator, or the number of repositories. While it is visible, it requests more.
struct RepositoriesEnd: View {
    private struct Place: Hashable {
        let count: Int
        let isLoading: Bool
    }

    let model: RepositoriesModel

    var body: some View {
        HStack {
            Spacer()
            if model.activity == .loadingMore {
                ProgressView("Loading more repositories")
            } else if model.isComplete {
                Text(verbatim: model.countText)
                    .foregroundStyle(.secondary)
            }
            Spacer()
        }
        .task(id: Place(count: model.repositories.count, isLoading: model.activity != nil)) { model.loadMore() }
    }
}
#endif
