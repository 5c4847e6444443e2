/** Actions of buttons: one request, the queries that it makes stale, and the message shown afterwards. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ComponentChildren, ComponentProps } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import type { ConfirmDialogProps } from '../ui/confirm-dialog.tsx'
import { type Command, useCommands } from './commands.ts'
import { ConfirmDialog } from './dialogs.tsx'
import { toast, toastFailure } from './toasts.ts'

interface Action<Answer> {
  /**
   * Sends the request. The idempotency key stays the same until the request has ended, so that repeating the request
   * has no further effect.
   */
  run: (idempotencyKey: string) => Promise<Answer>
  /** Title of the success message, or a callback. */
  done?: string | ((answer: Answer) => unknown)
  /** Title of the failure message, followed by the reason, or a callback. */
  failed?: string | ((error: unknown) => unknown)
  /** First elements of the query keys to refetch afterwards, even after a failure. */
  refreshes?: readonly string[]
}

export function useAction<Answer>({ run, done, failed, refreshes = [] }: Action<Answer>) {
  const queries = useQueryClient()
  const key = useRef(crypto.randomUUID())
  return useMutation({
    mutationFn: () => run(key.current),
    onSuccess: async (answer) => {
      if (typeof done === 'string') toast({ kind: 'done', title: done })
      else await done?.(answer)
    },
    onError: (error) => {
      if (typeof failed === 'string') toastFailure(failed, error)
      else failed?.(error)
    },
    onSettled: () => {
      key.current = crypto.randomUUID()
      for (const first of refreshes) void queries.invalidateQueries({ queryKey: [first] })
    },
  })
}

type ButtonProps = Omit<ComponentProps<typeof Button>, 'onClick' | 'children' | 'command'>

interface ActionButtonProps<Answer> extends Action<Answer>, ButtonProps {
  children: ComponentChildren
  /** Confirmation dialog shown before the request. Without `failed`, the dialog shows the reason for a failure. */
  confirm?:
    | (Omit<ConfirmDialogProps, 'children' | 'onConfirm' | 'onClose'> & { text: ComponentChildren })
    | undefined
  command?: Pick<Command, 'id' | 'label' | 'icon' | 'keys'>
}

export function ActionButton<Answer>(props: ActionButtonProps<Answer>) {
  const { run, done, failed, refreshes, confirm, command, isBusy = false, children, ...button } = props
  const [asks, setAsks] = useState(false)
  const action = useAction({
    run,
    ...(done !== undefined && { done }),
    ...(failed !== undefined && { failed }),
    ...(refreshes !== undefined && { refreshes }),
  })
  const start = () => (confirm === undefined ? action.mutate() : setAsks(true))
  const isPending = isBusy || action.isPending
  useCommands(command === undefined ? [] : [{ ...command, isOff: isPending, run: start }])
  const { text, ...dialog } = confirm ?? {}
  return (
    <>
      <Button size="small" isBusy={isPending} onClick={start} {...button}>
        {children}
      </Button>
      {asks && confirm !== undefined && (
        <ConfirmDialog
          {...(dialog as typeof confirm)}
          onClose={() => setAsks(false)}
          onConfirm={() =>
            failed === undefined ? action.mutateAsync() : action.mutateAsync().catch(() => undefined)
          }
        >
          <div class="space-y-3 break-words">{text}</div>
        </ConfirmDialog>
      )}
    </>
  )
}
