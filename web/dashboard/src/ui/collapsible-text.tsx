/** User-written text; long text is collapsed, so that the content below stays in reach. */

import { useState } from 'preact/hooks'
import { t } from '../words/words.ts'
import { classes } from './classes.ts'
import { PlainText } from './plain-text.tsx'

export interface CollapseLimits {
  /** Limits above which text is collapsed. */
  lines: number
  characters: number
  /** Class that shows fewer lines than `lines`, so that expanding reveals more than a line. */
  clamp: string
}

interface CollapsibleTextProps {
  text: string
  fold: CollapseLimits
  class?: string
}

export function CollapsibleText({ text, fold, class: className }: CollapsibleTextProps) {
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
