extension CallbackParts {
    /// The response that makes the browser send the callback.
    var answer: Answer {
        var answer =
            mode == .formPost
            ? FormPostPage.answer(parameters, to: redirectURI)
            : Answer.redirect(to: RedirectURI.adding(parameters, to: redirectURI, mode: mode))
        answer.callback = self
        return answer
    }
}
