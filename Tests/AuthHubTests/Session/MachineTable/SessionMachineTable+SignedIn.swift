extension SessionMachineTable {
    /// The rows of a session that has a credential.
    static let signedIn = """
        signed in | wanted, page allowed | refreshing | refresh old
        signed in | wanted, no page | refreshing | refresh old
        signed in | wanted, the first was refused | refreshing | refresh old
        signed in | renewal wanted | refreshing | refresh old
        signed in | sign-in wanted | signing in | sign in
        signed in | step-up wanted | signing in | sign in for write
        signed in | sign-in wanted, the first was refused | signing in | sign in
        signed in | knowledge wanted | signed in | 9 gets old
        signed in | 1 left | signed in | -
        signed in | 2 left | signed in | -
        signed in | store: credential | signed in | -
        signed in | store: nothing | signed in | -
        signed in | store: failed | signed in | -
        signed in | refresh: renewed | signed in | -
        signed in | refresh: signed out | signed in | -
        signed in | refresh: failed | signed in | -
        signed in | code received | signed in | -
        signed in | sign-in: done | signed in | discard new
        signed in | sign-in: closed | signed in | -
        signed in | sign-out wanted | deleting | delete what is stored
        signed in | sign-out called | signed in | -
        signed in | sign-out: 3 left | signed in | -
        signed in | deletion: done | signed in | -
        signed in | deletion: failed | signed in | -
        signed in | requests ended | signed in | -
        signed in | revocation ended | signed in | -
        signed in | sign-out page ended | signed in | -
        signed in | hint: the held version | signed in | -
        signed in | hint: another version | signed in, looking again | look again
        signed in | hint: deleted | signed in, looking again | look again
        signed in | hint: some were missed | signed in, looking again | look again
        signed in | look: credential | signed in | -
        signed in | look: nothing | signed in | -
        signed in | look: failed | signed in | -
        signed in, not renewable | wanted, page allowed | signing in | sign in
        signed in, not renewable | wanted, no page | signed in, not renewable | 9 fails: sign_in_needed
        signed in, not renewable | wanted, the first was refused | signed in, not renewable | 9 fails: sign_in_needed
        signed in, not renewable | renewal wanted | signed in, not renewable | 9 fails: sign_in_needed
        signed in, not renewable | sign-in wanted | signing in | sign in
        signed in, not renewable | step-up wanted | signing in | sign in for write
        signed in, not renewable | sign-in wanted, the first was refused | signing in | sign in
        signed in, not renewable | knowledge wanted | signed in, not renewable | 9 gets old
        signed in, not renewable | 1 left | signed in, not renewable | -
        signed in, not renewable | 2 left | signed in, not renewable | -
        signed in, not renewable | store: credential | signed in, not renewable | -
        signed in, not renewable | store: nothing | signed in, not renewable | -
        signed in, not renewable | store: failed | signed in, not renewable | -
        signed in, not renewable | refresh: renewed | signed in, not renewable | -
        signed in, not renewable | refresh: signed out | signed in, not renewable | -
        signed in, not renewable | refresh: failed | signed in, not renewable | -
        signed in, not renewable | code received | signed in, not renewable | -
        signed in, not renewable | sign-in: done | signed in, not renewable | discard new
        signed in, not renewable | sign-in: closed | signed in, not renewable | -
        signed in, not renewable | sign-out wanted | deleting | delete what is stored
        signed in, not renewable | sign-out called | signed in, not renewable | -
        signed in, not renewable | sign-out: 3 left | signed in, not renewable | -
        signed in, not renewable | deletion: done | signed in, not renewable | -
        signed in, not renewable | deletion: failed | signed in, not renewable | -
        signed in, not renewable | requests ended | signed in, not renewable | -
        signed in, not renewable | revocation ended | signed in, not renewable | -
        signed in, not renewable | sign-out page ended | signed in, not renewable | -
        signed in, not renewable | hint: the held version | signed in, not renewable | -
        signed in, not renewable | hint: another version | signed in, looking again | look again
        signed in, not renewable | hint: deleted | signed in, looking again | look again
        signed in, not renewable | hint: some were missed | signed in, looking again | look again
        signed in, not renewable | look: credential | signed in, not renewable | -
        signed in, not renewable | look: nothing | signed in, not renewable | -
        signed in, not renewable | look: failed | signed in, not renewable | -
        refreshing | wanted, page allowed | refreshing | -
        refreshing | wanted, no page | refreshing | -
        refreshing | wanted, the first was refused | refreshing | -
        refreshing | renewal wanted | refreshing | -
        refreshing | sign-in wanted | refreshing | -
        refreshing | step-up wanted | refreshing | -
        refreshing | sign-in wanted, the first was refused | refreshing | -
        refreshing | knowledge wanted | refreshing | -
        refreshing | 1 left | refreshing | 1 fails: cancelled_by_program
        refreshing | 2 left | refreshing | -
        refreshing | store: credential | refreshing | -
        refreshing | store: nothing | refreshing | -
        refreshing | store: failed | refreshing | -
        refreshing | refresh: renewed | signed in | 1 gets new
        refreshing | refresh: signed out | signed out | 1 fails: sign_in_needed
        refreshing | refresh: failed | signed in, held back | 1 fails: unreachable
        refreshing | code received | refreshing | -
        refreshing | sign-in: done | refreshing | discard new
        refreshing | sign-in: closed | refreshing | -
        refreshing | sign-out wanted | deleting | 1 fails: cancelled_by_program, delete what is stored
        refreshing | sign-out called | refreshing | -
        refreshing | sign-out: 3 left | refreshing | -
        refreshing | deletion: done | refreshing | -
        refreshing | deletion: failed | refreshing | -
        refreshing | requests ended | refreshing | -
        refreshing | revocation ended | refreshing | -
        refreshing | sign-out page ended | refreshing | -
        refreshing | hint: the held version | refreshing | -
        refreshing | hint: another version | refreshing | -
        refreshing | hint: deleted | refreshing | -
        refreshing | hint: some were missed | refreshing | -
        refreshing | look: credential | refreshing | -
        refreshing | look: nothing | refreshing | -
        refreshing | look: failed | refreshing | -
        signed in, held back | wanted, page allowed | signed in, reading again | read the store
        signed in, held back | wanted, no page | signed in, reading again | read the store
        signed in, held back | wanted, the first was refused | signed in, reading again | read the store
        signed in, held back | renewal wanted | refreshing | refresh old
        signed in, held back | sign-in wanted | signing in | sign in
        signed in, held back | step-up wanted | signing in | sign in for write
        signed in, held back | sign-in wanted, the first was refused | signing in | sign in
        signed in, held back | knowledge wanted | signed in, held back | 9 gets old
        signed in, held back | 1 left | signed in, held back | -
        signed in, held back | 2 left | signed in, held back | -
        signed in, held back | store: credential | signed in, held back | -
        signed in, held back | store: nothing | signed in, held back | -
        signed in, held back | store: failed | signed in, held back | -
        signed in, held back | refresh: renewed | signed in, held back | -
        signed in, held back | refresh: signed out | signed in, held back | -
        signed in, held back | refresh: failed | signed in, held back | -
        signed in, held back | code received | signed in, held back | -
        signed in, held back | sign-in: done | signed in, held back | discard new
        signed in, held back | sign-in: closed | signed in, held back | -
        signed in, held back | sign-out wanted | deleting | delete what is stored
        signed in, held back | sign-out called | signed in, held back | -
        signed in, held back | sign-out: 3 left | signed in, held back | -
        signed in, held back | deletion: done | signed in, held back | -
        signed in, held back | deletion: failed | signed in, held back | -
        signed in, held back | requests ended | signed in, held back | -
        signed in, held back | revocation ended | signed in, held back | -
        signed in, held back | sign-out page ended | signed in, held back | -
        signed in, held back | hint: the held version | signed in, held back | -
        signed in, held back | hint: another version | signed in, looking again | look again
        signed in, held back | hint: deleted | signed in, looking again | look again
        signed in, held back | hint: some were missed | signed in, looking again | look again
        signed in, held back | look: credential | signed in, held back | -
        signed in, held back | look: nothing | signed in, held back | -
        signed in, held back | look: failed | signed in, held back | -
        signed in, reading again | wanted, page allowed | signed in, reading again | -
        signed in, reading again | wanted, no page | signed in, reading again | -
        signed in, reading again | wanted, the first was refused | signed in, reading again | -
        signed in, reading again | renewal wanted | signed in, reading again | -
        signed in, reading again | sign-in wanted | signed in, reading again | -
        signed in, reading again | step-up wanted | signed in, reading again | -
        signed in, reading again | sign-in wanted, the first was refused | signed in, reading again | -
        signed in, reading again | knowledge wanted | signed in, reading again | -
        signed in, reading again | 1 left | signed in, reading again | 1 fails: cancelled_by_program
        signed in, reading again | 2 left | signed in, reading again | -
        signed in, reading again | store: credential | signed in | 1 gets new
        signed in, reading again | store: nothing | signed out | 1 fails: sign_in_needed
        signed in, reading again | store: failed | signed in, held back | 1 fails: store_failed
        signed in, reading again | refresh: renewed | signed in, reading again | -
        signed in, reading again | refresh: signed out | signed in, reading again | -
        signed in, reading again | refresh: failed | signed in, reading again | -
        signed in, reading again | code received | signed in, reading again | -
        signed in, reading again | sign-in: done | signed in, reading again | discard new
        signed in, reading again | sign-in: closed | signed in, reading again | -
        signed in, reading again | sign-out wanted | deleting | 1 fails: cancelled_by_program, delete what is stored
        signed in, reading again | sign-out called | signed in, reading again | -
        signed in, reading again | sign-out: 3 left | signed in, reading again | -
        signed in, reading again | deletion: done | signed in, reading again | -
        signed in, reading again | deletion: failed | signed in, reading again | -
        signed in, reading again | requests ended | signed in, reading again | -
        signed in, reading again | revocation ended | signed in, reading again | -
        signed in, reading again | sign-out page ended | signed in, reading again | -
        signed in, reading again | hint: the held version | signed in, reading again | -
        signed in, reading again | hint: another version | signed in, reading again | -
        signed in, reading again | hint: deleted | signed in, reading again | -
        signed in, reading again | hint: some were missed | signed in, reading again | -
        signed in, reading again | look: credential | signed in, reading again | -
        signed in, reading again | look: nothing | signed in, reading again | -
        signed in, reading again | look: failed | signed in, reading again | -
        signed in, looking again | wanted, page allowed | refreshing | refresh old
        signed in, looking again | wanted, no page | refreshing | refresh old
        signed in, looking again | wanted, the first was refused | refreshing | refresh old
        signed in, looking again | renewal wanted | refreshing | refresh old
        signed in, looking again | sign-in wanted | signing in | sign in
        signed in, looking again | step-up wanted | signing in | sign in for write
        signed in, looking again | sign-in wanted, the first was refused | signing in | sign in
        signed in, looking again | knowledge wanted | signed in, looking again | 9 gets old
        signed in, looking again | 1 left | signed in, looking again | -
        signed in, looking again | 2 left | signed in, looking again | -
        signed in, looking again | store: credential | signed in, looking again | -
        signed in, looking again | store: nothing | signed in, looking again | -
        signed in, looking again | store: failed | signed in, looking again | -
        signed in, looking again | refresh: renewed | signed in, looking again | -
        signed in, looking again | refresh: signed out | signed in, looking again | -
        signed in, looking again | refresh: failed | signed in, looking again | -
        signed in, looking again | code received | signed in, looking again | -
        signed in, looking again | sign-in: done | signed in, looking again | discard new
        signed in, looking again | sign-in: closed | signed in, looking again | -
        signed in, looking again | sign-out wanted | deleting | delete what is stored
        signed in, looking again | sign-out called | signed in, looking again | -
        signed in, looking again | sign-out: 3 left | signed in, looking again | -
        signed in, looking again | deletion: done | signed in, looking again | -
        signed in, looking again | deletion: failed | signed in, looking again | -
        signed in, looking again | requests ended | signed in, looking again | -
        signed in, looking again | revocation ended | signed in, looking again | -
        signed in, looking again | sign-out page ended | signed in, looking again | -
        signed in, looking again | hint: the held version | signed in, looking again | -
        signed in, looking again | hint: another version | signed in, looking again | -
        signed in, looking again | hint: deleted | signed in, looking again | -
        signed in, looking again | hint: some were missed | signed in, looking again | -
        signed in, looking again | look: credential | signed in | -
        signed in, looking again | look: nothing | signed out | -
        signed in, looking again | look: failed | signed in | -
        signed in, looking again in vain | wanted, page allowed | refreshing | refresh old
        signed in, looking again in vain | wanted, no page | refreshing | refresh old
        signed in, looking again in vain | wanted, the first was refused | refreshing | refresh old
        signed in, looking again in vain | renewal wanted | refreshing | refresh old
        signed in, looking again in vain | sign-in wanted | signing in | sign in
        signed in, looking again in vain | step-up wanted | signing in | sign in for write
        signed in, looking again in vain | sign-in wanted, the first was refused | refreshing | refresh old
        signed in, looking again in vain | knowledge wanted | signed in, looking again in vain | 9 gets old
        signed in, looking again in vain | 1 left | signed in, looking again in vain | -
        signed in, looking again in vain | 2 left | signed in, looking again in vain | -
        signed in, looking again in vain | store: credential | signed in, looking again in vain | -
        signed in, looking again in vain | store: nothing | signed in, looking again in vain | -
        signed in, looking again in vain | store: failed | signed in, looking again in vain | -
        signed in, looking again in vain | refresh: renewed | signed in, looking again in vain | -
        signed in, looking again in vain | refresh: signed out | signed in, looking again in vain | -
        signed in, looking again in vain | refresh: failed | signed in, looking again in vain | -
        signed in, looking again in vain | code received | signed in, looking again in vain | -
        signed in, looking again in vain | sign-in: done | signed in, looking again in vain | discard new
        signed in, looking again in vain | sign-in: closed | signed in, looking again in vain | -
        signed in, looking again in vain | sign-out wanted | deleting | delete what is stored
        signed in, looking again in vain | sign-out called | signed in, looking again in vain | -
        signed in, looking again in vain | sign-out: 3 left | signed in, looking again in vain | -
        signed in, looking again in vain | deletion: done | signed in, looking again in vain | -
        signed in, looking again in vain | deletion: failed | signed in, looking again in vain | -
        signed in, looking again in vain | requests ended | signed in, looking again in vain | -
        signed in, looking again in vain | revocation ended | signed in, looking again in vain | -
        signed in, looking again in vain | sign-out page ended | signed in, looking again in vain | -
        signed in, looking again in vain | hint: the held version | signed in, looking again in vain | -
        signed in, looking again in vain | hint: another version | signed in, looking again in vain | -
        signed in, looking again in vain | hint: deleted | signed in, looking again in vain | -
        signed in, looking again in vain | hint: some were missed | signed in, looking again in vain | -
        signed in, looking again in vain | look: credential | signed in, looking again | look again
        signed in, looking again in vain | look: nothing | signed in, looking again | look again
        signed in, looking again in vain | look: failed | signed in, looking again | look again
        signed in, sign-in declined | wanted, page allowed | refreshing | refresh old
        signed in, sign-in declined | wanted, no page | refreshing | refresh old
        signed in, sign-in declined | wanted, the first was refused | refreshing | refresh old
        signed in, sign-in declined | renewal wanted | refreshing | refresh old
        signed in, sign-in declined | sign-in wanted | signing in | sign in
        signed in, sign-in declined | step-up wanted | signing in | sign in for write
        signed in, sign-in declined | sign-in wanted, the first was refused | signed in, sign-in declined | 9 fails: sign_in_needed
        signed in, sign-in declined | knowledge wanted | signed in, sign-in declined | 9 gets old
        signed in, sign-in declined | 1 left | signed in, sign-in declined | -
        signed in, sign-in declined | 2 left | signed in, sign-in declined | -
        signed in, sign-in declined | store: credential | signed in, sign-in declined | -
        signed in, sign-in declined | store: nothing | signed in, sign-in declined | -
        signed in, sign-in declined | store: failed | signed in, sign-in declined | -
        signed in, sign-in declined | refresh: renewed | signed in, sign-in declined | -
        signed in, sign-in declined | refresh: signed out | signed in, sign-in declined | -
        signed in, sign-in declined | refresh: failed | signed in, sign-in declined | -
        signed in, sign-in declined | code received | signed in, sign-in declined | -
        signed in, sign-in declined | sign-in: done | signed in, sign-in declined | discard new
        signed in, sign-in declined | sign-in: closed | signed in, sign-in declined | -
        signed in, sign-in declined | sign-out wanted | deleting | delete what is stored
        signed in, sign-in declined | sign-out called | signed in, sign-in declined | -
        signed in, sign-in declined | sign-out: 3 left | signed in, sign-in declined | -
        signed in, sign-in declined | deletion: done | signed in, sign-in declined | -
        signed in, sign-in declined | deletion: failed | signed in, sign-in declined | -
        signed in, sign-in declined | requests ended | signed in, sign-in declined | -
        signed in, sign-in declined | revocation ended | signed in, sign-in declined | -
        signed in, sign-in declined | sign-out page ended | signed in, sign-in declined | -
        signed in, sign-in declined | hint: the held version | signed in, sign-in declined | -
        signed in, sign-in declined | hint: another version | signed in, looking again | look again
        signed in, sign-in declined | hint: deleted | signed in, looking again | look again
        signed in, sign-in declined | hint: some were missed | signed in, looking again | look again
        signed in, sign-in declined | look: credential | signed in, sign-in declined | -
        signed in, sign-in declined | look: nothing | signed in, sign-in declined | -
        signed in, sign-in declined | look: failed | signed in, sign-in declined | -
        """
}
