/**
 * Moves the focus through a list of links with j and k; Enter follows a link as usual. Keys pressed while the list is
 * loading take effect when it has loaded.
 */

import { useLayoutEffect, useRef } from 'preact/hooks'
import { useCommands } from '../app/commands.ts'
import { t } from '../words/words.ts'

export function useRowNavigation(hrefs: readonly string[], { isPending }: { isPending: boolean }) {
  const list = useRef<HTMLOListElement>(null)
  const pendingStep = useRef<1 | -1 | null>(null)
  const move = (step: 1 | -1) => {
    if (isPending) pendingStep.current = step
    const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>(':scope > li a') ?? [])]
    const rows = links.filter((link) => hrefs.includes(link.getAttribute('href') ?? ''))
    const at = rows.indexOf(document.activeElement as HTMLAnchorElement)
    const to =
      at === -1 ? (step === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step))
    rows[to]?.focus()
  }
  useLayoutEffect(() => {
    const step = pendingStep.current
    pendingStep.current = null
    if (!isPending && step !== null) move(step)
  }, [isPending])
  useCommands([
    {
      id: 'row-next',
      label: t('Next row'),
      keys: 'j',
      group: 'lists',
      isKeysOnly: true,
      run: () => move(1),
    },
    {
      id: 'row-before',
      label: t('Previous row'),
      keys: 'k',
      group: 'lists',
      isKeysOnly: true,
      run: () => move(-1),
    },
  ])
  return { ref: list }
}
