import { useState } from 'preact/hooks'
import { plural, t } from '../words/words.ts'
import { Button, IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { useCopy } from './copy.tsx'
import { PlainText } from './plain-text.tsx'

const MAX_COLLAPSED_LINES = 24

interface Props {
  text: string
  title?: string | null
  lang?: string | null
  isFolded?: boolean
}

/** Code or a command as plain text; scrolls horizontally and collapses when it is long. */
export function CodeBlock({ text, title, lang, isFolded = true }: Props) {
  const [isCopied, copy] = useCopy()
  const [isOpen, setOpen] = useState(!isFolded)
  const lines = text.split('\n')
  const isLong = lines.length > MAX_COLLAPSED_LINES + 4
  const shown = isLong && !isOpen ? lines.slice(0, MAX_COLLAPSED_LINES).join('\n') : text
  const hasHeader = Boolean(title ?? lang)
  return (
    <figure class="group relative overflow-hidden rounded-sm border border-line bg-sunken">
      {hasHeader && (
        <figcaption class="flex h-8 coarse:h-11 items-center justify-between gap-3 border-b border-line pl-3 text-12 text-soft">
          <span class="min-w-0 truncate">
            <PlainText text={title ?? lang ?? ''} />
          </span>
          {title && lang && <span class="mr-9 coarse:mr-12 shrink-0 text-faint">{lang}</span>}
        </figcaption>
      )}
      <IconButton
        icon={isCopied ? 'check' : 'copy'}
        label={isCopied ? t('Copied') : t('Copy')}
        size="small"
        class={classes(
          'absolute right-1',
          hasHeader ? 'top-0.5 coarse:top-0' : 'top-1 bg-sunken coarse:top-0',
        )}
        onClick={() => void copy(text)}
      />
      {/* A single line is a command or setting: it wraps to be readable, and wraps are not copied. */}
      <pre
        tabIndex={0}
        class={classes(
          'overflow-x-auto px-3 py-2.5 font-mono text-13 leading-5 outline-offset-[-2px]',
          lines.length === 1 && 'whitespace-pre-wrap wrap-anywhere',
          !hasHeader && 'pr-10',
        )}
      >
        <code>
          <PlainText text={shown} />
        </code>
      </pre>
      {isLong && (
        <div class="border-t border-line p-1">
          <Button look="quiet" size="small" class="w-full" onClick={() => setOpen(!isOpen)}>
            {isOpen ? t('Show less') : plural(lines.length, 'Show {count} line', 'Show all {count} lines')}
          </Button>
        </div>
      )}
    </figure>
  )
}
