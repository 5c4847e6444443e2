/** Entries of a group: each can be opened, excluded and included again. */

import type { FeedbackGroup } from '../../../../../src/features/feedback/operations/inbox.ts'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { plural, t } from '../../words/words.ts'
import { statusLabel } from './labels.ts'
import { RowCheckbox } from './row-checkbox.tsx'

interface GroupEntriesProps {
  group: FeedbackGroup
  openId: string | undefined
  maySelect: boolean
  hrefOf: (id: string) => string
  isChosen: (id: string) => boolean
  onToggle: (id: string) => void
  onOpen: (id: string) => void
}

export function GroupEntries(props: GroupEntriesProps) {
  const { group, openId, maySelect, hrefOf, isChosen, onToggle, onOpen } = props
  const older = group.count - group.entries.length
  return (
    <ul aria-label={t('Entries of the group')} class="border-t border-line bg-sunken pl-9 max-md:pl-3">
      {group.entries.map(({ id, status, createdAt, comment }) => {
        const { icon, label, tone } = statusLabel(status)
        const words = comment?.trim() || t('No comment')
        return (
          <li
            key={id}
            class={classes(
              'group flex items-stretch text-13',
              id === openId ? 'bg-selected' : 'hover:bg-hover',
            )}
          >
            {maySelect && (
              <RowCheckbox
                label={t('Select: {text}', { text: words.slice(0, 80) })}
                isOn={isChosen(id)}
                isShown
                onToggle={() => onToggle(id)}
              />
            )}
            <a
              href={hrefOf(id)}
              aria-current={id === openId ? 'true' : undefined}
              class="flex min-h-8 min-w-0 flex-1 items-center gap-3 pr-4 outline-offset-[-2px] coarse:min-h-(--control)"
              onClick={(event) => {
                if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
                  return
                event.preventDefault()
                onOpen(id)
              }}
            >
              <Icon name={icon} size={14} class={tone} />
              <span class="sr-only">{t('{status}:', { status: label })} </span>
              <span class="min-w-0 flex-1 truncate" dir="auto">
                <PlainText text={words} />
              </span>
              {createdAt !== null && <RelativeTime at={createdAt} class="shrink-0 text-12 text-faint" />}
            </a>
          </li>
        )
      })}
      {older > 0 && (
        <li class="px-4 py-2 text-12 text-faint">
          {plural(
            older,
            '{count} older entry appears when you have handled these.',
            '{count} older entries appear when you have handled these.',
          )}
        </li>
      )}
    </ul>
  )
}
