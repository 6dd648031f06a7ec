/// The underlying error of a response with an error status that is not an OAuth error.
package struct UnexpectedStatus: Error {
    package let code: Int
}
