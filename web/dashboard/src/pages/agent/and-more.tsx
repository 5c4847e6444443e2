import { plural } from '../../words/words.ts'

/** Shown below a shortened list; renders nothing when the list is complete. */
export function AndMore({ all, shown }: { all: number; shown: number }) {
  if (all <= shown) return null
  return <p class="text-12 text-soft">{plural(all - shown, 'and {count} more', 'and {count} more')}</p>
}
