import { plural } from '../../words/words.ts'

/** Below a list of which only the first are shown; nothing when these are all. */
export function AndMore({ all, shown }: { all: number; shown: number }) {
  if (all <= shown) return null
  return <p class="text-12 text-soft">{plural(all - shown, 'and {count} more', 'and {count} more')}</p>
}
