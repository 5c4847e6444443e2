/** Changes that show at once and are taken back honestly when the server refuses them. */

import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { OfflineError } from '../api/connection.ts'
import { t } from '../words/words.ts'
import { toastFailure } from './toasts.ts'

/** What is known under a key, and what it becomes; the key also matches longer ones that begin with it. */
export interface CacheChange {
  queryKey: QueryKey
  change: (data: unknown) => unknown
}

/** A change under a key, with the type of what lies there. */
export function changeOf<Data>(queryKey: QueryKey, change: (data: Data) => Data): CacheChange {
  return { queryKey, change: (data) => change(data as Data) }
}

interface OptimisticOptions<Input, Answer> {
  send: (input: Input) => Promise<Answer>
  /** What shows at once. */
  changes: (input: Input) => readonly CacheChange[]
  /** Said when it was refused, before the reason: `The status was not changed`. */
  failed: string
  done?: (answer: Answer, input: Input) => void
  /** Asked again afterwards, whatever came of it. */
  renews?: (input: Input) => readonly QueryKey[]
}

/**
 * `mutate(input)` shows the change, sends it, and puts back what was there before when it fails: only where nothing newer
 * has come since, else the newest is asked for. Offline it is refused before anything is shown.
 */
export function useOptimisticMutation<Input, Answer>(options: OptimisticOptions<Input, Answer>) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: options.send,
    onMutate: async (input: Input) => {
      if (!navigator.onLine) throw new OfflineError()
      const changed: { queryKey: QueryKey; before: unknown; shown: unknown }[] = []
      for (const { queryKey, change } of options.changes(input)) {
        await client.cancelQueries({ queryKey })
        for (const [key, before] of client.getQueriesData({ queryKey })) {
          if (before === undefined) continue
          const shown = change(before)
          client.setQueryData(key, shown)
          changed.push({ queryKey: key, before, shown: client.getQueryData(key) })
        }
      }
      return changed
    },
    onError: (error, input, changed) => {
      for (const { queryKey, before, shown } of (changed ?? []).toReversed()) {
        if (client.getQueryData(queryKey) === shown) client.setQueryData(queryKey, before)
        else void client.invalidateQueries({ queryKey })
      }
      const retry = navigator.onLine
        ? { action: { label: t('Try again'), run: () => mutation.mutate(input) } }
        : {}
      toastFailure(options.failed, error, retry)
    },
    onSuccess: (answer, input) => options.done?.(answer, input),
    onSettled: (_answer, _error, input) => {
      for (const queryKey of options.renews?.(input) ?? []) void client.invalidateQueries({ queryKey })
    },
  })
  return mutation
}
