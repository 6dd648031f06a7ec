extension SessionMachineTable {
    /// The rows of a session that has no credential, as far as it knows.
    static let signedOut = """
        unknown | wanted, page allowed | loading | read the store
        unknown | wanted, no page | loading | read the store
        unknown | wanted, the first was refused | loading | read the store
        unknown | renewal wanted | loading | read the store
        unknown | sign-in wanted | signing in | sign in
        unknown | step-up wanted | signing in | sign in for write
        unknown | sign-in wanted, the first was refused | loading | read the store
        unknown | knowledge wanted | loading | read the store
        unknown | 1 left | unknown | -
        unknown | 2 left | unknown | -
        unknown | store: credential | unknown | -
        unknown | store: nothing | unknown | -
        unknown | store: failed | unknown | -
        unknown | refresh: renewed | unknown | -
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
        unknown | look: credential | unknown | -
        unknown | look: nothing | unknown | -
        unknown | look: failed | unknown | -
        loading | wanted, page allowed | loading | -
        loading | wanted, no page | loading | -
        loading | wanted, the first was refused | loading | -
        loading | renewal wanted | loading | -
        loading | sign-in wanted | loading | -
        loading | step-up wanted | loading | -
        loading | sign-in wanted, the first was refused | loading | -
        loading | knowledge wanted | loading | -
        loading | 1 left | loading | 1 fails: cancelled_by_program
        loading | 2 left | loading | -
        loading | store: credential | signed in | 1 gets new
        loading | store: nothing | signed out | 1 fails: sign_in_needed
        loading | store: failed | unknown | 1 fails: store_failed
        loading | refresh: renewed | loading | -
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
        loading | look: credential | loading | -
        loading | look: nothing | loading | -
        loading | look: failed | loading | -
        signed out | wanted, page allowed | loading | read the store
        signed out | wanted, no page | loading | read the store
        signed out | wanted, the first was refused | loading | read the store
        signed out | renewal wanted | loading | read the store
        signed out | sign-in wanted | signing in | sign in
        signed out | step-up wanted | signing in | sign in for write
        signed out | sign-in wanted, the first was refused | loading | read the store
        signed out | knowledge wanted | loading | read the store
        signed out | 1 left | signed out | -
        signed out | 2 left | signed out | -
        signed out | store: credential | signed out | -
        signed out | store: nothing | signed out | -
        signed out | store: failed | signed out | -
        signed out | refresh: renewed | signed out | -
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
        signed out | hint: the held version | signed out | look again
        signed out | hint: another version | signed out | look again
        signed out | hint: deleted | signed out | -
        signed out | hint: some were missed | signed out | look again
        signed out | look: credential | signed out | -
        signed out | look: nothing | signed out | -
        signed out | look: failed | signed out | -
        signed out, pausing | wanted, page allowed | loading | read the store
        signed out, pausing | wanted, no page | loading | read the store
        signed out, pausing | wanted, the first was refused | loading | read the store
        signed out, pausing | renewal wanted | loading | read the store
        signed out, pausing | sign-in wanted | signing in | sign in
        signed out, pausing | step-up wanted | signing in | sign in for write
        signed out, pausing | sign-in wanted, the first was refused | loading | read the store
        signed out, pausing | knowledge wanted | loading | read the store
        signed out, pausing | 1 left | signed out, pausing | -
        signed out, pausing | 2 left | signed out, pausing | -
        signed out, pausing | store: credential | signed out, pausing | -
        signed out, pausing | store: nothing | signed out, pausing | -
        signed out, pausing | store: failed | signed out, pausing | -
        signed out, pausing | refresh: renewed | signed out, pausing | -
        signed out, pausing | refresh: signed out | signed out, pausing | -
        signed out, pausing | refresh: failed | signed out, pausing | -
        signed out, pausing | code received | signed out, pausing | -
        signed out, pausing | sign-in: done | signed out | discard new
        signed out, pausing | sign-in: closed | signed out, pausing | -
        signed out, pausing | sign-out wanted | deleting | delete what is stored
        signed out, pausing | sign-out called | signed out, pausing | -
        signed out, pausing | sign-out: 3 left | signed out, pausing | -
        signed out, pausing | deletion: done | signed out, pausing | -
        signed out, pausing | deletion: failed | signed out, pausing | -
        signed out, pausing | requests ended | signed out, pausing | -
        signed out, pausing | revocation ended | signed out, pausing | -
        signed out, pausing | sign-out page ended | signed out, pausing | -
        signed out, pausing | hint: the held version | signed out, pausing | look again
        signed out, pausing | hint: another version | signed out, pausing | look again
        signed out, pausing | hint: deleted | signed out, pausing | -
        signed out, pausing | hint: some were missed | signed out, pausing | look again
        signed out, pausing | look: credential | signed out, pausing | -
        signed out, pausing | look: nothing | signed out, pausing | -
        signed out, pausing | look: failed | signed out, pausing | -
        """
}
