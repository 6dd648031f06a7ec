extension SessionMachineTable {
    /// The rows of a session that is signing in.
    static let signingIn = """
        signing in | wanted, page allowed | signing in | -
        signing in | wanted, no page | signing in | -
        signing in | wanted, the first was rejected | signing in | -
        signing in | refresh wanted | signing in | -
        signing in | sign-in wanted | signing in | -
        signing in | step-up wanted | signing in | -
        signing in | sign-in wanted, the first was rejected | signing in | -
        signing in | knowledge wanted | signing in | -
        signing in | 1 left | signing in | 1 fails: cancelled_by_program
        signing in | 2 left | signing in | 2 fails: cancelled_by_program
        signing in | store: credential | signing in | -
        signing in | store: nothing | signing in | -
        signing in | store: failed | signing in | -
        signing in | refresh: succeeded | signing in | -
        signing in | refresh: signed out | signing in | -
        signing in | refresh: failed | signing in | -
        signing in | code received | exchanging | -
        signing in | sign-in: done | signed in | 2 gets new, 1 gets new
        signing in | sign-in: closed | loading | 2 fails: cancelled_by_user, read the store
        signing in | sign-out wanted | deleting | 2 fails: cancelled_by_program, 1 fails: cancelled_by_program, cancel the sign-in, delete what is stored
        signing in | sign-out called | signing in | -
        signing in | sign-out: 3 left | signing in | -
        signing in | deletion: done | signing in | -
        signing in | deletion: failed | signing in | -
        signing in | requests ended | signing in | -
        signing in | revocation ended | signing in | -
        signing in | sign-out page ended | signing in | -
        signing in | hint: the held version | signing in | -
        signing in | hint: another version | signing in | -
        signing in | hint: deleted | signing in | -
        signing in | hint: some were missed | signing in | -
        signing in | re-read: credential | signing in | -
        signing in | re-read: nothing | signing in | -
        signing in | re-read: failed | signing in | -
        ending an abandoned sign-in | wanted, page allowed | ending an abandoned sign-in | -
        ending an abandoned sign-in | wanted, no page | ending an abandoned sign-in | -
        ending an abandoned sign-in | wanted, the first was rejected | ending an abandoned sign-in | -
        ending an abandoned sign-in | refresh wanted | ending an abandoned sign-in | -
        ending an abandoned sign-in | sign-in wanted | ending an abandoned sign-in | -
        ending an abandoned sign-in | step-up wanted | ending an abandoned sign-in | -
        ending an abandoned sign-in | sign-in wanted, the first was rejected | ending an abandoned sign-in | -
        ending an abandoned sign-in | knowledge wanted | ending an abandoned sign-in | -
        ending an abandoned sign-in | 1 left | ending an abandoned sign-in | -
        ending an abandoned sign-in | 2 left | ending an abandoned sign-in | -
        ending an abandoned sign-in | store: credential | ending an abandoned sign-in | -
        ending an abandoned sign-in | store: nothing | ending an abandoned sign-in | -
        ending an abandoned sign-in | store: failed | ending an abandoned sign-in | -
        ending an abandoned sign-in | refresh: succeeded | ending an abandoned sign-in | -
        ending an abandoned sign-in | refresh: signed out | ending an abandoned sign-in | -
        ending an abandoned sign-in | refresh: failed | ending an abandoned sign-in | -
        ending an abandoned sign-in | code received | ending an abandoned sign-in | -
        ending an abandoned sign-in | sign-in: done | signed in | -
        ending an abandoned sign-in | sign-in: closed | unknown | -
        ending an abandoned sign-in | sign-out wanted | deleting | cancel the sign-in, delete what is stored
        ending an abandoned sign-in | sign-out called | ending an abandoned sign-in | -
        ending an abandoned sign-in | sign-out: 3 left | ending an abandoned sign-in | -
        ending an abandoned sign-in | deletion: done | ending an abandoned sign-in | -
        ending an abandoned sign-in | deletion: failed | ending an abandoned sign-in | -
        ending an abandoned sign-in | requests ended | ending an abandoned sign-in | -
        ending an abandoned sign-in | revocation ended | ending an abandoned sign-in | -
        ending an abandoned sign-in | sign-out page ended | ending an abandoned sign-in | -
        ending an abandoned sign-in | hint: the held version | ending an abandoned sign-in | -
        ending an abandoned sign-in | hint: another version | ending an abandoned sign-in | -
        ending an abandoned sign-in | hint: deleted | ending an abandoned sign-in | -
        ending an abandoned sign-in | hint: some were missed | ending an abandoned sign-in | -
        ending an abandoned sign-in | re-read: credential | ending an abandoned sign-in | -
        ending an abandoned sign-in | re-read: nothing | ending an abandoned sign-in | -
        ending an abandoned sign-in | re-read: failed | ending an abandoned sign-in | -
        exchanging | wanted, page allowed | exchanging | -
        exchanging | wanted, no page | exchanging | -
        exchanging | wanted, the first was rejected | exchanging | -
        exchanging | refresh wanted | exchanging | -
        exchanging | sign-in wanted | exchanging | -
        exchanging | step-up wanted | exchanging | -
        exchanging | sign-in wanted, the first was rejected | exchanging | -
        exchanging | knowledge wanted | exchanging | -
        exchanging | 1 left | exchanging | 1 fails: cancelled_by_program
        exchanging | 2 left | exchanging | 2 fails: cancelled_by_program
        exchanging | store: credential | exchanging | -
        exchanging | store: nothing | exchanging | -
        exchanging | store: failed | exchanging | -
        exchanging | refresh: succeeded | exchanging | -
        exchanging | refresh: signed out | exchanging | -
        exchanging | refresh: failed | exchanging | -
        exchanging | code received | exchanging | -
        exchanging | sign-in: done | signed in | 2 gets new, 1 gets new
        exchanging | sign-in: closed | loading | 2 fails: cancelled_by_user, read the store
        exchanging | sign-out wanted | deleting | 2 fails: cancelled_by_program, 1 fails: cancelled_by_program, delete what is stored
        exchanging | sign-out called | exchanging | -
        exchanging | sign-out: 3 left | exchanging | -
        exchanging | deletion: done | exchanging | -
        exchanging | deletion: failed | exchanging | -
        exchanging | requests ended | exchanging | -
        exchanging | revocation ended | exchanging | -
        exchanging | sign-out page ended | exchanging | -
        exchanging | hint: the held version | exchanging | -
        exchanging | hint: another version | exchanging | -
        exchanging | hint: deleted | exchanging | -
        exchanging | hint: some were missed | exchanging | -
        exchanging | re-read: credential | exchanging | -
        exchanging | re-read: nothing | exchanging | -
        exchanging | re-read: failed | exchanging | -
        """
}
