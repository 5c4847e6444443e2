import type { ComponentChildren } from 'preact'
import { memo } from 'preact/compat'
import type { FeedbackGroup } from '../../../../../src/features/feedback/operations/inbox.ts'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { plural, richPlural, t } from '../../words/words.ts'
import { SOURCES } from './labels.ts'
import { besideCheckboxClass, checkboxOverlapClass, RowCheckbox } from './row-checkbox.tsx'

interface RowProps {
  group: FeedbackGroup
  href: string
  isNarrow: boolean
  /** True for the row that Tab focuses and that shortcuts act on. */
  isMarked: boolean
  isOpen: boolean
  isChosen: boolean
  isPartly: boolean
  isChoosing: boolean
  maySelect: boolean
  onMark: (id: string) => void
  onOpen: (id: string) => void
  onSelect: (id: string, isRange: boolean) => void
  onFold: (id: string) => void
  children: ComponentChildren
}

/** Row of a group: count, text and page. All of it is untrusted and rendered as plain text. */
export const GroupRow = memo(function GroupRow(props: RowProps) {
  const { group, isNarrow, maySelect } = props
  const isShown = props.isChosen || props.isChoosing
  const newest = group.entries[0]?.id ?? ''
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.altKey) return
    if (event.shiftKey && !maySelect) return
    event.preventDefault()
    if (event.shiftKey) return props.onSelect(group.id, true)
    props.onMark(group.id)
    props.onOpen(newest)
  }
  return (
    <li
      data-group={group.id}
      class={classes(
        'relative border-b border-line',
        props.isChosen || props.isOpen ? 'bg-selected' : 'hover:bg-hover',
        props.isMarked && 'before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-accent-9',
      )}
    >
      <div class="group relative flex items-stretch">
        {maySelect && (
          <RowCheckbox
            label={t('Select the group: {text}', { text: summarizeGroup(group).slice(0, 80) })}
            isOn={props.isChosen}
            isPartly={props.isPartly}
            isShown={isShown}
            isOver={isNarrow}
            onToggle={(isRange) => props.onSelect(group.id, isRange)}
          />
        )}
        {!isNarrow && <ToggleButton {...props} />}
        <a
          href={props.href}
          data-row-link
          tabIndex={props.isMarked ? 0 : -1}
          aria-current={props.isOpen ? 'true' : undefined}
          class={classes(
            'flex min-w-0 flex-1 items-center gap-3 pr-4 outline-offset-[-2px]',
            isNarrow ? 'h-[55px]' : 'h-[35px] coarse:h-[47px]',
            isNarrow ? besideCheckboxClass(maySelect) : 'pl-1',
          )}
          onFocus={() => props.onMark(group.id)}
          onClick={open}
        >
          <span
            class={classes(
              'min-w-9 shrink-0 rounded-sm bg-neutral-3 px-1.5 text-center text-13 leading-6 font-medium tabular-nums',
              checkboxOverlapClass(isNarrow && maySelect, isShown),
            )}
            title={plural(group.count, '{count} entry', '{count} entries')}
          >
            {richPlural(group.count, '{count}<a> time: </a>', '{count}<a> times: </a>', {
              a: (inner) => <span class="sr-only">{inner}</span>,
            })}
          </span>
          {isNarrow ? <Narrow group={group} /> : <Wide group={group} />}
        </a>
        {isNarrow && <ToggleButton {...props} />}
      </div>
      {props.children}
    </li>
  )
})

function ToggleButton({ group, isMarked, onFold, children }: RowProps) {
  const isUnfolded = children !== false
  return (
    <button
      type="button"
      class="flex w-8 shrink-0 items-center justify-center rounded-sm text-faint outline-offset-[-2px] hover:text-fore coarse:w-11"
      aria-expanded={isUnfolded}
      aria-label={t('Entries of the group: {text}', { text: summarizeGroup(group).slice(0, 80) })}
      tabIndex={isMarked ? 0 : -1}
      onClick={() => onFold(group.id)}
    >
      <Icon
        name="chevron-right"
        size={14}
        class={classes('transition-transform', isUnfolded && 'rotate-90')}
      />
    </button>
  )
}

/**
 * Returns the text that the entries share; for feedback on code, the code block, even if the comments differ.
 */
function summarizeGroup({ kind, comment, code }: FeedbackGroup): string {
  const text = kind === 'code' ? code : comment
  return (text ?? comment ?? code ?? '').replace(/\s+/g, ' ').trim()
}

function Words({ group }: { group: FeedbackGroup }) {
  const isCode = group.kind === 'code'
  return (
    <span
      class={classes('min-w-0 flex-1 truncate text-left', isCode && 'font-mono text-13')}
      dir={isCode ? 'ltr' : 'auto'}
    >
      <PlainText text={summarizeGroup(group).slice(0, 300)} />
    </span>
  )
}

function Wide({ group }: { group: FeedbackGroup }) {
  const { label, icon } = SOURCES[group.source]
  return (
    <>
      <Words group={group} />
      <span class="w-1/4 shrink-0 truncate font-mono text-12 text-faint">
        <PlainText text={group.path} />
      </span>
      <span class="flex w-32 shrink-0 items-center justify-end gap-2 text-12 text-faint max-lg:w-auto">
        <span class="max-lg:sr-only">{group.kind === 'code' ? t('Same code block') : label}</span>
        <Icon name={icon} size={14} />
      </span>
      <span class="flex w-20 shrink-0 justify-end">
        <Newest group={group} />
      </span>
    </>
  )
}

function Narrow({ group }: { group: FeedbackGroup }) {
  return (
    <span class="min-w-0 flex-1">
      <span class="flex min-w-0 items-center gap-2">
        <Words group={group} />
        <Newest group={group} />
      </span>
      <span class="flex min-w-0 items-center gap-2 text-12 text-faint">
        <span class="min-w-0 flex-1 truncate font-mono">
          <PlainText text={group.path} />
        </span>
        <span class="shrink-0">
          {group.kind === 'code' ? t('Same code block') : SOURCES[group.source].label}
        </span>
      </span>
    </span>
  )
}

function Newest({ group: { newestAt } }: { group: FeedbackGroup }) {
  if (newestAt === null) return null
  return <RelativeTime at={newestAt} class="shrink-0 text-12 text-faint" />
}
