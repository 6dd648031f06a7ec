/// The cause of an error that is due to what a server says about itself.
package struct UnusableServer: Error {
    /// Whether only the URL of an endpoint is missing.
    package var lacksEndpoint = false
}
