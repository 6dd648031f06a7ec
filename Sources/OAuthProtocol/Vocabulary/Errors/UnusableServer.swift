/// The underlying error if a server's metadata lacks what a sign-in requires.
package struct UnusableServer: Error {
    /// Whether only an endpoint's URL is missing.
    package var lacksEndpoint = false
}
