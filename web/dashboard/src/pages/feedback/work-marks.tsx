/** Labels and assignees in rows and details. */

import { useQuery } from '@tanstack/react-query'
import type { LabelColour } from '../../../../../src/base/api/form-choices.ts'
import type { FeedbackEntry } from '../../../../../src/features/feedback/operations/feedback.ts'
import type { FeedbackLabel } from '../../../../../src/features/feedback/operations/feedback-work.ts'
import { internalQuery } from '../../api/internal.ts'
import { useProjectId } from '../../app/current-project.ts'
import { classes } from '../../ui/classes.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { t } from '../../words/words.ts'

const DOTS: Record<LabelColour, string> = {
  grey: 'bg-label-grey',
  red: 'bg-label-red',
  orange: 'bg-label-orange',
  yellow: 'bg-label-yellow',
  green: 'bg-label-green',
  teal: 'bg-label-teal',
  blue: 'bg-label-blue',
  purple: 'bg-label-purple',
}

export function LabelDot({ colour }: { colour: LabelColour }) {
  return <span aria-hidden="true" class={classes('size-2 shrink-0 rounded-full', DOTS[colour])} />
}

export function labelsQuery(projectId: string) {
  return internalQuery('listFeedbackLabels', { params: { projectId } })
}

export function useLabels(projectId: string): readonly FeedbackLabel[] {
  return useQuery(labelsQuery(projectId)).data?.labels ?? NONE
}
const NONE: readonly FeedbackLabel[] = []

/** Labels of a row: the first label, the second if there is room, and the number of further labels. */
export function RowLabels({ labels, isNarrow }: { labels: FeedbackEntry['labels']; isNarrow: boolean }) {
  const [first, second] = labels ?? []
  if (labels === undefined || first === undefined) return null
  return (
    <span class="flex min-w-0 shrink items-center gap-1" title={labels.map(({ name }) => name).join(', ')}>
      <span class="sr-only">{t('Labels:')}</span>
      <LabelChip label={first} />
      {second !== undefined && !isNarrow && (
        <span class="flex min-w-0 max-lg:hidden">
          <LabelChip label={second} />
        </span>
      )}
      <More count={labels.length - 1} class={isNarrow ? '' : 'lg:hidden'} />
      {!isNarrow && <More count={labels.length - 2} class="max-lg:hidden" />}
    </span>
  )
}

function More({ count, class: className }: { count: number; class: string }) {
  return count > 0 ? <span class={classes('text-12 text-faint', className)}>+{count}</span> : null
}

export function LabelChip({ label: { id, name } }: { label: { id: string; name: string } }) {
  const known = useLabels(useProjectId()).find((label) => label.id === id)
  return (
    <span class="inline-flex h-5 max-w-32 min-w-0 items-center gap-1.5 rounded-full border border-line-strong px-2 text-12 text-soft">
      <LabelDot colour={known?.colour ?? 'grey'} />
      <span class="truncate" dir="auto">
        <PlainText text={known?.name ?? name} />
      </span>
    </span>
  )
}

export function AssigneeMark({ person }: { person: FeedbackEntry['assignee'] }) {
  if (person == null) return null
  return (
    <span
      class="inline-flex size-5 shrink-0 items-center justify-center rounded-full bg-accent-3 text-[10px] leading-none font-medium text-accent-11"
      title={t('Assigned to {name}', { name: person.name })}
    >
      <span aria-hidden="true">{extractInitials(person.name)}</span>
      <span class="sr-only">{t('Assigned to {name}', { name: person.name })}</span>
    </span>
  )
}

function extractInitials(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0])
  return letters.join('').toUpperCase()
}
