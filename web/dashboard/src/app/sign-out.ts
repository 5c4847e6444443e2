import { callAuth, setOrganization } from '../api/send.ts'
import { t } from '../words/words.ts'
import { queryClient } from './query-client.ts'
import { toastFailure } from './toasts.ts'

export async function signOut(): Promise<void> {
  try {
    await callAuth('sign-out', {})
  } catch (error) {
    toastFailure(t('You are still signed in'), error)
    return
  }
  setOrganization(null)
  queryClient.clear()
  location.assign('/sign-in')
}
