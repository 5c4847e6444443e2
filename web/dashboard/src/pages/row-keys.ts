/** j and k in a list of links: the focus moves from one to the next, Enter goes there as with any link. */

import { useRef } from 'preact/hooks'
import { useCommands } from '../app/commands.ts'
import { t } from '../words/words.ts'

export function useRowKeys(hrefs: readonly string[]) {
  const list = useRef<HTMLOListElement>(null)
  const move = (step: 1 | -1) => {
    const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>(':scope > li a') ?? [])]
    const rows = links.filter((link) => hrefs.includes(link.getAttribute('href') ?? ''))
    const at = rows.indexOf(document.activeElement as HTMLAnchorElement)
    const to =
      at === -1 ? (step === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step))
    rows[to]?.focus()
  }
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
