/** The query of the address as plain words: what a page shows is in it, so that it can be linked and gone back to. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'preact/hooks'

export type Words = Record<string, string>

/** `?a=b&c=d`, sorted as they come; no JSON in addresses. */
export function parseSearch(text: string): Words {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(words: Record<string, unknown>): string {
  const given = Object.entries(words).filter(([, value]) => value !== undefined && value !== '')
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

type Change = Record<string, string | number | undefined>

/**
 * `[words, change]`: `change({ status: 'pending', entry: undefined })` sets and takes away, and leaves the others. With
 * `replace` the way back does not stop here.
 */
export function useWords(): [Words, (changes: Change, more?: { replace?: boolean }) => void] {
  const words = useSearch({ strict: false }) as Words
  const navigate = useNavigate()
  const change = useCallback(
    (changes: Change, { replace = false }: { replace?: boolean } = {}) => {
      void navigate({
        to: '.',
        search: (before: Words) => ({ ...before, ...changes }) as Words,
        replace,
        resetScroll: false,
      } as never)
    },
    [navigate],
  )
  return [words, change]
}
