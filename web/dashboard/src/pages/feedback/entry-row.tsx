import { memo } from 'preact/compat'
import type { FeedbackEntry } from '../../../../../src/features/feedback/operations/feedback.ts'
import { classes } from '../../ui/classes.ts'
import { HighlightedText } from '../../ui/highlighted-text.tsx'
import { Icon } from '../../ui/icon.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { entryVote, SOURCES, statusLabel, summarizeEntry } from './labels.ts'
import { besideCheckboxClass, checkboxOverlapClass, RowCheckbox } from './row-checkbox.tsx'
import { AssigneeMark, RowLabels } from './work-marks.tsx'

/** Heights in pixels of rows with one line (taller on touch screens) and with two lines. */
export const WIDE_ROW_PX = matchMedia('(pointer: coarse)').matches ? 48 : 36
export const NARROW_ROW_PX = 56

interface RowProps {
  entry: FeedbackEntry
  href: string
  /** Distance from the top of the list, in pixels. */
  offset: number
  /** 1-based position in the list. `total` is -1 while the total is unknown. */
  number: number
  total: number
  isNarrow: boolean
  isActive: boolean
  /** True for the only row in the tab order; arrow keys and letters move the focus from it to other rows. */
  isReached: boolean
  isOpen: boolean
  isSelected: boolean
  maySelect: boolean
  isChoosing: boolean
  /** Search text. */
  q: string | null
  onOpen: (id: string) => void
  onSelect: (id: string, isRange: boolean) => void
}

/** Row of an entry: its text, then its subject. All of it is untrusted and rendered as plain text. */
export const EntryRow = memo(function EntryRow(props: RowProps) {
  const { entry, isNarrow, isSelected, maySelect, q } = props
  const isShown = isSelected || props.isChoosing
  const looks = checkboxOverlapClass(maySelect, isShown)
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.altKey) return
    event.preventDefault()
    if (event.shiftKey && maySelect) props.onSelect(entry.id, true)
    else props.onOpen(entry.id)
  }
  return (
    <div
      role="listitem"
      aria-posinset={props.number}
      aria-setsize={props.total}
      data-row={entry.id}
      style={{ transform: `translateY(${props.offset}px)`, height: isNarrow ? NARROW_ROW_PX : WIDE_ROW_PX }}
      class={classes(
        'group absolute inset-x-0 top-0 flex items-stretch border-b border-line [contain:strict]',
        isSelected || props.isOpen ? 'bg-selected' : 'hover:bg-hover',
        props.isActive && 'before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-accent-9',
      )}
    >
      {maySelect && (
        <RowCheckbox
          label={t('Select: {text}', { text: summarizeEntry(entry).text.slice(0, 80) })}
          isOn={isSelected}
          isShown={isShown}
          isOver
          onToggle={(isRange) => props.onSelect(entry.id, isRange)}
        />
      )}
      <a
        href={props.href}
        data-row-link
        tabIndex={props.isReached ? 0 : -1}
        aria-current={props.isOpen ? 'true' : undefined}
        onClick={open}
        class={classes(
          'min-w-0 flex-1 pr-6 outline-offset-[-2px] max-md:pr-4',
          besideCheckboxClass(maySelect),
          isNarrow ? 'py-2' : 'flex items-center gap-3',
        )}
      >
        {isNarrow ? (
          <>
            <span class="flex min-w-0 items-center gap-2">
              <Status entry={entry} looks={looks} />
              <Words entry={entry} q={q} />
              <Time at={entry.createdAt} />
            </span>
            <span class="mt-0.5 flex min-w-0 items-center gap-2 pl-6 text-12 whitespace-nowrap text-faint">
              <span class="min-w-20 flex-1 truncate font-mono">
                <HighlightedText text={entry.path} q={q} />
              </span>
              <RowLabels labels={entry.labels} isNarrow />
              <AssigneeMark person={entry.assignee} />
              <EntryBadges entry={entry} />
            </span>
          </>
        ) : (
          <>
            <Status entry={entry} looks={looks} />
            <Words entry={entry} q={q} />
            <RowLabels labels={entry.labels} isNarrow={false} />
            <AssigneeMark person={entry.assignee} />
            <span class="w-1/4 shrink-0 truncate font-mono text-12 text-faint">
              <HighlightedText text={entry.path} q={q} />
            </span>
            <span class="flex w-32 shrink-0 items-center justify-end gap-2 text-12 whitespace-nowrap text-faint max-lg:w-auto">
              <EntryBadges entry={entry} />
            </span>
            <Time at={entry.createdAt} class="w-20 text-right" />
          </>
        )}
      </a>
    </div>
  )
})

interface Shown {
  entry: FeedbackEntry
  q: string | null
  looks: string | undefined
}

function Status({ entry, looks }: Omit<Shown, 'q'>) {
  const { icon, label, tone } = statusLabel(entry.status)
  return <Icon name={icon} label={label} class={classes(tone, looks)} />
}

function Words({ entry, q }: Omit<Shown, 'looks'>) {
  const { text, isQuiet } = summarizeEntry(entry, q)
  return (
    <span
      class={classes('min-w-0 flex-1 truncate text-left', isQuiet ? 'text-soft' : 'text-text')}
      dir="auto"
    >
      <HighlightedText text={text} q={q} />
    </span>
  )
}

function EntryBadges({ entry }: { entry: FeedbackEntry }) {
  const { label, icon } = SOURCES[entry.source]
  const vote = entryVote(entry)
  return (
    <>
      <span class="md:max-lg:sr-only">{label}</span>
      {vote === null ? (
        <Icon name={icon} size={14} />
      ) : (
        <Icon
          name={vote ? 'thumbs-up' : 'thumbs-down'}
          size={14}
          label={vote ? t('Helpful') : t('Not helpful')}
          class={vote ? 'text-success' : 'text-danger'}
        />
      )}
    </>
  )
}

function Time({ at, class: className }: { at: string | null; class?: string }) {
  const looks = classes('shrink-0 text-12 text-faint', className)
  return at === null ? <span class={looks}>{t('No date')}</span> : <RelativeTime at={at} class={looks} />
}
