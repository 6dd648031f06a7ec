#if canImport(SwiftUI)
import AuthHubApp
import Foundation
import GitHubAPI
import SwiftUI

/// The repositories of the signed-in user. Loads more when the last rows become visible.
struct RepositoriesView: View {
    @Bindable var model: RepositoriesModel
    let signIn: SignInModel

    var body: some View {
        List {
            if let problem = model.problem {
                RemedyBanner(problem: problem) {
                    await model.tryAgain()
                } signInAgain: {
                    model.signInAgain()
                }
                .listRowSeparator(.hidden)
            }
            let matches = model.matches
            let last = Set(matches.suffix(Self.rowsBeforeTheEnd).map(\.id))
            ForEach(matches, id: \.id) { repository in
                RepositoryRow(line: RepositoryLine(repository, now: .now))
                    .onAppear {
                        if last.contains(repository.id) { model.loadMore() }
                    }
            }
            RepositoriesEnd(model: model)
                .listRowSeparator(.hidden)
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel("Repositories")
        .searchable(text: $model.filter, prompt: "Filter Repositories")
        .refreshable { await model.refresh() }
        .navigationTitle(model.title)
        .toolbar {
            ToolbarItem(placement: .navigation) {
                AvatarView(picture: model.picture, login: model.person.login)
            }
            ToolbarItemGroup(placement: .primaryAction) {
                Picker("Show", selection: Binding(get: { model.selection }, set: { model.select($0) })) {
                    ForEach(RepositorySelection.allCases, id: \.self) { Text(verbatim: $0.label) }
                }
                Button("Refresh", systemImage: "arrow.clockwise") { Task { await model.refresh() } }
                    .keyboardShortcut("r")
                    .disabled(model.activity == .refreshing)
                Menu("Main Menu", systemImage: "ellipsis.circle") {
                    AccountButtons(model: signIn)
                    Button(model.signOutText, role: .destructive) { Task { await model.signOut() } }
                    if let text = model.providerSignOutText {
                        Button(text, role: .destructive) { Task { await model.signOut(atProvider: true) } }
                    }
                }
            }
        }
    }

    /// How many rows before the end the next page is requested.
    private static let rowsBeforeTheEnd = 10
}
#endif
