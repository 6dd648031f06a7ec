import ArgumentParser
import WebAuthentication

struct HandlerRegisterCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Register this tool as the handler of a scheme, for your user only.",
        discussion: "Writes a .desktop file in your data folder and one line in mimeapps.list in your configuration folder.")

    @Argument(help: ArgumentHelp("The scheme without its colon, such as com.example.app.", valueName: "scheme"))
    var scheme: String

    @Flag(help: "Take over the scheme if another program handles it.")
    var force = false

    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let handler = try CustomSchemeHandler(typed: scheme)
        do throws(WebAuthenticationError) {
            if case .claimed(let other) = try handler.status(), !force {
                throw WebAuthenticationError(
                    .refused, "\(other) already handles \(handler.scheme); add --force to take it over")
            }
            if let caution = handler.caution { console.warn(caution) }
            try handler.register(command: [try OwnProgram.path(), "callback"], name: "AuthHub")
            try HandlerReport([handler]).put(on: console)
        } catch {
            throw .handler(error)
        }
    }
}

struct HandlerUnregisterCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "unregister",
        abstract: "Unregister this tool as the handler of a scheme. The registrations of other programs are not changed.")

    @Argument(help: ArgumentHelp("The scheme without its colon.", valueName: "scheme"))
    var scheme: String

    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let handler = try CustomSchemeHandler(typed: scheme)
        do throws(WebAuthenticationError) {
            try handler.unregister()
            try HandlerReport([handler]).put(on: console)
        } catch {
            throw .handler(error)
        }
    }
}

struct HandlerStatusCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the schemes that are registered for this tool, and any other programs that handle them.")

    @Argument(help: ArgumentHelp("The scheme without its colon (default: all registered schemes).", valueName: "scheme"))
    var scheme: String?

    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let schemes = scheme.map { [$0] } ?? CustomSchemeHandler.schemes()
        var handlers: [CustomSchemeHandler] = []
        for scheme in schemes { handlers.append(try CustomSchemeHandler(typed: scheme)) }
        do throws(WebAuthenticationError) {
            try HandlerReport(handlers).put(on: console)
        } catch {
            throw .handler(error)
        }
    }
}

extension CustomSchemeHandler {
    /// Creates the handler of a scheme that was typed.
    fileprivate init(typed scheme: String) throws(Failure) {
        do {
            try self.init(scheme: scheme)
        } catch {
            throw .usage(error.message, hint: "authhub handler register com.example.app")
        }
    }
}

extension Failure {
    fileprivate static func handler(_ error: WebAuthenticationError) -> Self {
        Self("handler_failed", .failed, error.message, hint: "authhub help handler")
    }
}
