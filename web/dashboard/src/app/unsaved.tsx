import { useBlocker } from '@tanstack/react-router'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** Render it in a form: leaving asks first while something is not saved; closing the tab is asked by the browser. */
export function UnsavedGuard({ isDirty, what = 'Your changes' }: { isDirty: boolean; what?: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Dialog
      title="Leave without saving?"
      width="sm"
      onClose={reset}
      actions={
        <>
          <Button onClick={proceed}>Leave</Button>
          <Button look="primary" autoFocus onClick={reset}>
            Stay
          </Button>
        </>
      }
    >
      <p class="text-soft">{what} on this page will be lost.</p>
    </Dialog>
  )
}
