extension SessionMachineTable {
    /// The rows of a session that has no credential, as far as it knows.
    static let signedOut = """
        unknown | wanted, page allowed | loading | read the store
        unknown | wanted, no page | loading | read the store
        unknown | wanted, the first was rejected | loading | read the store
        unknown | refresh wanted | loading | read the store
        unknown | sign-in wanted | signing in | sign in
        unknown | step-up wanted | signing in | sign in for write
        unknown | sign-in wanted, the first was rejected | loading | read the store
        unknown | knowledge wanted | loading | read the store
        unknown | 1 left | unknown | -
        unknown | 2 left | unknown | -
        unknown | store: credential | unknown | -
        unknown | store: nothing | unknown | -
        unknown | store: failed | unknown | -
        unknown | refresh: succeeded | unknown | -
        unknown | refresh: signed out | unknown | -
        unknown | refresh: failed | unknown | -
        unknown | code received | unknown | -
        unknown | sign-in: done | unknown | discard new
        unknown | sign-in: closed | unknown | -
        unknown | sign-out wanted | deleting | delete what is stored
        unknown | sign-out called | unknown | -
        unknown | sign-out: 3 left | unknown | -
        unknown | deletion: done | unknown | -
        unknown | deletion: failed | unknown | -
        unknown | requests ended | unknown | -
        unknown | revocation ended | unknown | -
        unknown | sign-out page ended | unknown | -
        unknown | hint: the held version | unknown | -
        unknown | hint: another version | unknown | -
        unknown | hint: deleted | unknown | -
        unknown | hint: some were missed | unknown | -
        unknown | re-read: credential | unknown | -
        unknown | re-read: nothing | unknown | -
        unknown | re-read: failed | unknown | -
        loading | wanted, page allowed | loading | -
        loading | wanted, no page | loading | -
        loading | wanted, the first was rejected | loading | -
        loading | refresh wanted | loading | -
        loading | sign-in wanted | loading | -
        loading | step-up wanted | loading | -
        loading | sign-in wanted, the first was rejected | loading | -
        loading | knowledge wanted | loading | -
        loading | 1 left | loading | 1 fails: cancelled_by_program
        loading | 2 left | loading | -
        loading | store: credential | signed in | 1 gets new
        loading | store: nothing | signed out | 1 fails: sign_in_needed
        loading | store: failed | unknown | 1 fails: store_failed
        loading | refresh: succeeded | loading | -
        loading | refresh: signed out | loading | -
        loading | refresh: failed | loading | -
        loading | code received | loading | -
        loading | sign-in: done | loading | discard new
        loading | sign-in: closed | loading | -
        loading | sign-out wanted | deleting | 1 fails: cancelled_by_program, delete what is stored
        loading | sign-out called | loading | -
        loading | sign-out: 3 left | loading | -
        loading | deletion: done | loading | -
        loading | deletion: failed | loading | -
        loading | requests ended | loading | -
        loading | revocation ended | loading | -
        loading | sign-out page ended | loading | -
        loading | hint: the held version | loading | -
        loading | hint: another version | loading | -
        loading | hint: deleted | loading | -
        loading | hint: some were missed | loading | -
        loading | re-read: credential | loading | -
        loading | re-read: nothing | loading | -
        loading | re-read: failed | loading | -
        signed out | wanted, page allowed | loading | read the store
        signed out | wanted, no page | loading | read the store
        signed out | wanted, the first was rejected | loading | read the store
        signed out | refresh wanted | loading | read the store
        signed out | sign-in wanted | signing in | sign in
        signed out | step-up wanted | signing in | sign in for write
        signed out | sign-in wanted, the first was rejected | loading | read the store
        signed out | knowledge wanted | loading | read the store
        signed out | 1 left | signed out | -
        signed out | 2 left | signed out | -
        signed out | store: credential | signed out | -
        signed out | store: nothing | signed out | -
        signed out | store: failed | signed out | -
        signed out | refresh: succeeded | signed out | -
        signed out | refresh: signed out | signed out | -
        signed out | refresh: failed | signed out | -
        signed out | code received | signed out | -
        signed out | sign-in: done | signed out | discard new
        signed out | sign-in: closed | signed out | -
        signed out | sign-out wanted | deleting | delete what is stored
        signed out | sign-out called | signed out | -
        signed out | sign-out: 3 left | signed out | -
        signed out | deletion: done | signed out | -
        signed out | deletion: failed | signed out | -
        signed out | requests ended | signed out | -
        signed out | revocation ended | signed out | -
        signed out | sign-out page ended | signed out | -
        signed out | hint: the held version | signed out | re-read the store
        signed out | hint: another version | signed out | re-read the store
        signed out | hint: deleted | signed out | -
        signed out | hint: some were missed | signed out | re-read the store
        signed out | re-read: credential | signed out | -
        signed out | re-read: nothing | signed out | -
        signed out | re-read: failed | signed out | -
        signed out, after a failed sign-in | wanted, page allowed | loading | read the store
        signed out, after a failed sign-in | wanted, no page | loading | read the store
        signed out, after a failed sign-in | wanted, the first was rejected | loading | read the store
        signed out, after a failed sign-in | refresh wanted | loading | read the store
        signed out, after a failed sign-in | sign-in wanted | signing in | sign in
        signed out, after a failed sign-in | step-up wanted | signing in | sign in for write
        signed out, after a failed sign-in | sign-in wanted, the first was rejected | loading | read the store
        signed out, after a failed sign-in | knowledge wanted | loading | read the store
        signed out, after a failed sign-in | 1 left | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | 2 left | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | store: credential | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | store: nothing | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | store: failed | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | refresh: succeeded | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | refresh: signed out | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | refresh: failed | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | code received | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | sign-in: done | signed out | discard new
        signed out, after a failed sign-in | sign-in: closed | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | sign-out wanted | deleting | delete what is stored
        signed out, after a failed sign-in | sign-out called | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | sign-out: 3 left | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | deletion: done | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | deletion: failed | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | requests ended | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | revocation ended | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | sign-out page ended | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | hint: the held version | signed out, after a failed sign-in | re-read the store
        signed out, after a failed sign-in | hint: another version | signed out, after a failed sign-in | re-read the store
        signed out, after a failed sign-in | hint: deleted | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | hint: some were missed | signed out, after a failed sign-in | re-read the store
        signed out, after a failed sign-in | re-read: credential | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | re-read: nothing | signed out, after a failed sign-in | -
        signed out, after a failed sign-in | re-read: failed | signed out, after a failed sign-in | -
        """
}
