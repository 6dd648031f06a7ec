/// Rows of state, event, next state and actions. An event of an activity that is not under way changes nothing.
let sessionMachineTable = """
    unknown | wanted, page allowed | loading | read the store
    unknown | wanted, no page | loading | read the store
    unknown | wanted, the first was refused | loading | read the store
    unknown | renewal wanted | loading | read the store
    unknown | sign-in wanted | signing in | sign in
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
    unknown | sign-out wanted | signing out | sign out
    unknown | sign-out: done | unknown | -
    unknown | sign-out: failed | unknown | -
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
    loading | sign-out wanted | signing out | 1 fails: cancelled_by_program, sign out
    loading | sign-out: done | loading | -
    loading | sign-out: failed | loading | -
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
    signed out | sign-out wanted | signing out | sign out
    signed out | sign-out: done | signed out | -
    signed out | sign-out: failed | signed out | -
    signed out | hint: the held version | signed out | look again
    signed out | hint: another version | signed out | look again
    signed out | hint: deleted | signed out | -
    signed out | hint: some were missed | signed out | look again
    signed out | look: credential | signed out | -
    signed out | look: nothing | signed out | -
    signed out | look: failed | signed out | -
    signing in | wanted, page allowed | signing in | -
    signing in | wanted, no page | signing in | -
    signing in | wanted, the first was refused | signing in | -
    signing in | renewal wanted | signing in | -
    signing in | sign-in wanted | signing in | -
    signing in | knowledge wanted | signing in | -
    signing in | 1 left | signing in | 1 fails: cancelled_by_program
    signing in | 2 left | signing in | 2 fails: cancelled_by_program
    signing in | store: credential | signing in | -
    signing in | store: nothing | signing in | -
    signing in | store: failed | signing in | -
    signing in | refresh: renewed | signing in | -
    signing in | refresh: signed out | signing in | -
    signing in | refresh: failed | signing in | -
    signing in | code received | exchanging | -
    signing in | sign-in: done | signed in | 2 gets new, 1 gets new
    signing in | sign-in: closed | loading | 2 fails: cancelled_by_user, read the store
    signing in | sign-out wanted | signing out | 2 fails: cancelled_by_program, 1 fails: cancelled_by_program, cancel the sign-in, sign out
    signing in | sign-out: done | signing in | -
    signing in | sign-out: failed | signing in | -
    signing in | hint: the held version | signing in | -
    signing in | hint: another version | signing in | -
    signing in | hint: deleted | signing in | -
    signing in | hint: some were missed | signing in | -
    signing in | look: credential | signing in | -
    signing in | look: nothing | signing in | -
    signing in | look: failed | signing in | -
    ending an abandoned sign-in | wanted, page allowed | ending an abandoned sign-in | -
    ending an abandoned sign-in | wanted, no page | ending an abandoned sign-in | -
    ending an abandoned sign-in | wanted, the first was refused | ending an abandoned sign-in | -
    ending an abandoned sign-in | renewal wanted | ending an abandoned sign-in | -
    ending an abandoned sign-in | sign-in wanted | ending an abandoned sign-in | -
    ending an abandoned sign-in | knowledge wanted | ending an abandoned sign-in | -
    ending an abandoned sign-in | 1 left | ending an abandoned sign-in | -
    ending an abandoned sign-in | 2 left | ending an abandoned sign-in | -
    ending an abandoned sign-in | store: credential | ending an abandoned sign-in | -
    ending an abandoned sign-in | store: nothing | ending an abandoned sign-in | -
    ending an abandoned sign-in | store: failed | ending an abandoned sign-in | -
    ending an abandoned sign-in | refresh: renewed | ending an abandoned sign-in | -
    ending an abandoned sign-in | refresh: signed out | ending an abandoned sign-in | -
    ending an abandoned sign-in | refresh: failed | ending an abandoned sign-in | -
    ending an abandoned sign-in | code received | ending an abandoned sign-in | -
    ending an abandoned sign-in | sign-in: done | signed in | -
    ending an abandoned sign-in | sign-in: closed | unknown | -
    ending an abandoned sign-in | sign-out wanted | signing out | cancel the sign-in, sign out
    ending an abandoned sign-in | sign-out: done | ending an abandoned sign-in | -
    ending an abandoned sign-in | sign-out: failed | ending an abandoned sign-in | -
    ending an abandoned sign-in | hint: the held version | ending an abandoned sign-in | -
    ending an abandoned sign-in | hint: another version | ending an abandoned sign-in | -
    ending an abandoned sign-in | hint: deleted | ending an abandoned sign-in | -
    ending an abandoned sign-in | hint: some were missed | ending an abandoned sign-in | -
    ending an abandoned sign-in | look: credential | ending an abandoned sign-in | -
    ending an abandoned sign-in | look: nothing | ending an abandoned sign-in | -
    ending an abandoned sign-in | look: failed | ending an abandoned sign-in | -
    exchanging | wanted, page allowed | exchanging | -
    exchanging | wanted, no page | exchanging | -
    exchanging | wanted, the first was refused | exchanging | -
    exchanging | renewal wanted | exchanging | -
    exchanging | sign-in wanted | exchanging | -
    exchanging | knowledge wanted | exchanging | -
    exchanging | 1 left | exchanging | 1 fails: cancelled_by_program
    exchanging | 2 left | exchanging | 2 fails: cancelled_by_program
    exchanging | store: credential | exchanging | -
    exchanging | store: nothing | exchanging | -
    exchanging | store: failed | exchanging | -
    exchanging | refresh: renewed | exchanging | -
    exchanging | refresh: signed out | exchanging | -
    exchanging | refresh: failed | exchanging | -
    exchanging | code received | exchanging | -
    exchanging | sign-in: done | signed in | 2 gets new, 1 gets new
    exchanging | sign-in: closed | loading | 2 fails: cancelled_by_user, read the store
    exchanging | sign-out wanted | signing out | 2 fails: cancelled_by_program, 1 fails: cancelled_by_program, sign out
    exchanging | sign-out: done | exchanging | -
    exchanging | sign-out: failed | exchanging | -
    exchanging | hint: the held version | exchanging | -
    exchanging | hint: another version | exchanging | -
    exchanging | hint: deleted | exchanging | -
    exchanging | hint: some were missed | exchanging | -
    exchanging | look: credential | exchanging | -
    exchanging | look: nothing | exchanging | -
    exchanging | look: failed | exchanging | -
    signed in | wanted, page allowed | refreshing | refresh old
    signed in | wanted, no page | refreshing | refresh old
    signed in | wanted, the first was refused | refreshing | refresh old
    signed in | renewal wanted | refreshing | refresh old
    signed in | sign-in wanted | signing in | sign in
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
    signed in | sign-out wanted | signing out | sign out
    signed in | sign-out: done | signed in | -
    signed in | sign-out: failed | signed in | -
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
    signed in, not renewable | sign-out wanted | signing out | sign out
    signed in, not renewable | sign-out: done | signed in, not renewable | -
    signed in, not renewable | sign-out: failed | signed in, not renewable | -
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
    refreshing | sign-out wanted | signing out | 1 fails: cancelled_by_program, sign out
    refreshing | sign-out: done | refreshing | -
    refreshing | sign-out: failed | refreshing | -
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
    signed in, held back | sign-out wanted | signing out | sign out
    signed in, held back | sign-out: done | signed in, held back | -
    signed in, held back | sign-out: failed | signed in, held back | -
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
    signed in, reading again | sign-out wanted | signing out | 1 fails: cancelled_by_program, sign out
    signed in, reading again | sign-out: done | signed in, reading again | -
    signed in, reading again | sign-out: failed | signed in, reading again | -
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
    signed in, looking again | sign-out wanted | signing out | sign out
    signed in, looking again | sign-out: done | signed in, looking again | -
    signed in, looking again | sign-out: failed | signed in, looking again | -
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
    signed in, looking again in vain | sign-out wanted | signing out | sign out
    signed in, looking again in vain | sign-out: done | signed in, looking again in vain | -
    signed in, looking again in vain | sign-out: failed | signed in, looking again in vain | -
    signed in, looking again in vain | hint: the held version | signed in, looking again in vain | -
    signed in, looking again in vain | hint: another version | signed in, looking again in vain | -
    signed in, looking again in vain | hint: deleted | signed in, looking again in vain | -
    signed in, looking again in vain | hint: some were missed | signed in, looking again in vain | -
    signed in, looking again in vain | look: credential | signed in, looking again | look again
    signed in, looking again in vain | look: nothing | signed in, looking again | look again
    signed in, looking again in vain | look: failed | signed in, looking again | look again
    signing out | wanted, page allowed | signing out | 9 fails: cancelled_by_program
    signing out | wanted, no page | signing out | 9 fails: cancelled_by_program
    signing out | wanted, the first was refused | signing out | 9 fails: cancelled_by_program
    signing out | renewal wanted | signing out | 9 fails: cancelled_by_program
    signing out | sign-in wanted | signing out | 9 fails: cancelled_by_program
    signing out | knowledge wanted | signing out | 9 fails: cancelled_by_program
    signing out | 1 left | signing out | -
    signing out | 2 left | signing out | -
    signing out | store: credential | signing out | -
    signing out | store: nothing | signing out | -
    signing out | store: failed | signing out | -
    signing out | refresh: renewed | signing out | -
    signing out | refresh: signed out | signing out | -
    signing out | refresh: failed | signing out | -
    signing out | code received | signing out | -
    signing out | sign-in: done | signing out | -
    signing out | sign-in: closed | signing out | -
    signing out | sign-out wanted | signing out | -
    signing out | sign-out: done | signed out | -
    signing out | sign-out: failed | unknown | -
    signing out | hint: the held version | signing out | -
    signing out | hint: another version | signing out | -
    signing out | hint: deleted | signing out | -
    signing out | hint: some were missed | signing out | -
    signing out | look: credential | signing out | -
    signing out | look: nothing | signing out | -
    signing out | look: failed | signing out | -
    """
