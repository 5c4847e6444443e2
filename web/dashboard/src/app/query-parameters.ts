/**
 * Query parameters of the URL hold the state of a page, so that it can be linked and restored by going back.
 */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect } from 'preact/hooks'

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

/** Stores the state of a dialog in the URL, so that the palette and links can open it from any page. */
export function useOpenParameter(name: string): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [parameters, change] = useQueryParameters()
  return [
    parameters[name] !== undefined,
    (isOpen) => change({ [name]: isOpen ? '1' : undefined }, { replace: !isOpen }),
  ]
}

/** Opens a dialog once when the URL has the parameter `name`; `open` is null where that is not allowed. */
export function useDialogParameter(name: string, open: (() => void) | null): void {
  const [isOpen, setOpen] = useOpenParameter(name)
  useEffect(() => {
    if (!isOpen) return
    setOpen(false)
    open?.()
  }, [isOpen])
}

export function usePathParameters(): Partial<QueryParameters> {
  return useParams({ strict: false })
}
