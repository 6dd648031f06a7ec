/// Rows of state, event, next state and actions. An event of an activity that is not in progress changes nothing.
enum SessionMachineTable {
    static let rows = [signedOut, signingIn, signedIn, signingOut].joined(separator: "\n").split(separator: "\n").map(String.init)
}
