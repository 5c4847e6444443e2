/** Optimistic changes: applied immediately and rolled back when the server rejects them. */

import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { OfflineError } from '../api/connection.ts'
import { t } from '../words/words.ts'
import { toastFailure } from './toasts.ts'

/** A change to cached data. The key also matches longer keys that begin with it. */
export interface CacheChange {
  queryKey: QueryKey
  change: (data: unknown) => unknown
}

export function toCacheChange<Data>(queryKey: QueryKey, change: (data: Data) => Data): CacheChange {
  return { queryKey, change: (data) => change(data as Data) }
}

interface OptimisticOptions<Input, Answer> {
  send: (input: Input) => Promise<Answer>
  changes: (input: Input) => readonly CacheChange[]
  /** Title of the error message, followed by the reason: `The status was not changed`. */
  failed: string
  done?: (answer: Answer, input: Input) => void
  invalidates?: (input: Input) => readonly QueryKey[]
}

/**
 * `mutate(input)` applies the changes to the cache, sends the request and restores the previous data if it fails.
 * Data that has changed again in the meantime is refetched instead. Offline, it fails before anything is changed.
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
      for (const queryKey of options.invalidates?.(input) ?? []) void client.invalidateQueries({ queryKey })
    },
  })
  return mutation
}
