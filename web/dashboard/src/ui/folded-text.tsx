/** What somebody wrote. A long text shows its beginning and unfolds; nobody scrolls past a page of it to what comes next. */

import { useState } from 'preact/hooks'
import { t } from '../words/words.ts'
import { classes } from './classes.ts'
import { PlainText } from './plain-text.tsx'

export interface Fold {
  /** What is longer folds. */
  lines: number
  characters: number
  /** A class that shows somewhat less than that, so that unfolding is worth it. */
  clamp: string
}

export function FoldedText({ text, fold, class: className }: { text: string; fold: Fold; class?: string }) {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > fold.characters || text.split('\n').length > fold.lines
  return (
    <>
      <p
        class={classes(
          'text-14 break-words whitespace-pre-wrap',
          className,
          isLong && !isWhole && fold.clamp,
        )}
        dir="auto"
      >
        <PlainText text={text} />
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isWhole}
          class="mt-1 rounded-sm text-13 text-accent-11 hover:underline coarse:min-h-8"
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t('Show less') : t('Show all')}
        </button>
      )}
    </>
  )
}
