import HTTPLoading

/// What an action throws; nil where it does not.
func failure(of action: () async throws(LoadError) -> Void) async -> LoadError? {
    do throws(LoadError) {
        try await action()
        return nil
    } catch {
        return error
    }
}
