/** Query parameters of the URL. They hold what a page shows, so that it can be linked and restored by going back. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'preact/hooks'

export type QueryParameters = Record<string, string>

/** Parses `?a=b&c=d` in the given order; values are never JSON. */
export function parseSearch(text: string): QueryParameters {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(parameters: Record<string, unknown>): string {
  const presentParameters = Object.entries(parameters).filter(
    ([, value]) => value !== undefined && value !== '',
  )
  return presentParameters.length === 0
    ? ''
    : `?${new URLSearchParams(presentParameters.map(([name, value]) => [name, String(value)]))}`
}

type Change = Record<string, string | number | undefined>

function applyChanges(before: Record<string, string | undefined>, changes: Change): QueryParameters {
  const now: QueryParameters = {}
  for (const [name, value] of Object.entries({ ...before, ...changes }))
    if (value !== undefined) now[name] = String(value)
  return now
}

/**
 * Returns `[parameters, change]`: `change({ status: 'pending', entry: undefined })` sets and removes parameters and
 * leaves the others unchanged. With `replace`, no history entry is added.
 */
export function useQueryParameters(): [
  QueryParameters,
  (changes: Change, more?: { replace?: boolean }) => void,
] {
  const parameters: QueryParameters = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = useCallback(
    (changes: Change, { replace = false }: { replace?: boolean } = {}) => {
      void navigate({
        to: '.',
        search: (before) => applyChanges(before, changes),
        replace,
        resetScroll: false,
      })
    },
    [navigate],
  )
  return [parameters, change]
}
