import { explain } from '../api/errors.ts'
import { auth, setOrganization } from '../api/send.ts'
import { queryClient } from './query-client.ts'
import { toast } from './toasts.ts'

/** Ends the session on the server, and forgets all that was loaded with it. */
export async function signOut(): Promise<void> {
  try {
    await auth('sign-out', {})
  } catch (error) {
    toast({ kind: 'failed', title: 'You are still signed in', detail: explain(error).title })
    return
  }
  setOrganization(null)
  queryClient.clear()
  location.assign('/sign-in')
}
