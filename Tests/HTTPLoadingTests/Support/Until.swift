/// Waits until something holds that nobody tells of.
func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}
