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

/// What a load in a task of its own ends in; nil where it is a response.
func failure(of task: Task<some Sendable, any Error>) async -> LoadError? {
    if case .failure(let error as LoadError) = await task.result { error } else { nil }
}
