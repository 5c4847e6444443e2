import { signOut } from '../../app/sign-out.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** For who is signed in and a member of nothing. */
export function NowherePage() {
  return (
    <EmptyState
      icon="users"
      title="You are not a member of an organization"
      actions={
        <Button icon="log-out" onClick={() => void signOut()}>
          Sign out
        </Button>
      }
    >
      <p>Ask an admin for an invitation, and open its link while you are signed in with this account.</p>
    </EmptyState>
  )
}
