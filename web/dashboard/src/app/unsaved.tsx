import { useBlocker } from '@tanstack/react-router'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { t } from '../words/words.ts'

/**
 * Prompts before the user leaves a form with unsaved changes; closing the tab triggers the browser's own
 * prompt.
 */
export function UnsavedGuard({
  isDirty,
  warning = t('Your changes on this page will be lost.'),
}: {
  isDirty: boolean
  warning?: string
}) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Dialog
      title={t('Leave without saving?')}
      width="sm"
      onClose={reset}
      actions={
        <>
          <Button onClick={proceed}>{t('Leave')}</Button>
          <Button look="primary" autoFocus onClick={reset}>
            {t('Stay')}
          </Button>
        </>
      }
    >
      <p class="text-soft">{warning}</p>
    </Dialog>
  )
}
