/**
 * History of an entry, one full sentence per action, because in most languages the sentence differs between `you` and
 * `Ada`.
 */

import type { ComponentChildren } from 'preact'
import type {
  FeedbackChange,
  FeedbackStatus,
} from '../../../../../src/features/feedback/operations/feedback.ts'
import { Link } from '../../ui/link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { rich, richPlural, t } from '../../words/words.ts'
import { statusLabel } from './labels.ts'

export interface Actors {
  projectId: string
  me: string
  members: ReadonlyMap<string, string>
}

interface Parts {
  isMe: boolean
  name: ComponentChildren
  b: (inner: ComponentChildren) => ComponentChildren
}

export function describeChange(
  { actor, from, to, assignee, labels }: FeedbackChange,
  actors: Actors,
): ComponentChildren[] {
  const parts: Parts = {
    isMe: actor === actors.me,
    name: bold(<Name actor={actor} actors={actors} />),
    b: bold,
  }
  const descriptions = [
    ...(to === null ? [] : [describeStatusChange(parts, from, to)]),
    ...(assignee === null ? [] : [describeAssigneeChange(parts, actor, assignee, actors)]),
    ...(labels === null || labels.added.length === 0 ? [] : [describeAddedLabels(parts, labels.added)]),
    ...(labels === null || labels.removed.length === 0 ? [] : [describeRemovedLabels(parts, labels.removed)]),
  ]
  if (descriptions.length > 0) return descriptions
  return [parts.isMe ? rich('<b>You</b> left a note', parts) : rich('{name} left a note', parts)]
}

function bold(inner: ComponentChildren) {
  return <span class="font-medium text-text">{inner}</span>
}

const AGENT_PREFIX = 'agent:'

function Name({ actor, actors }: { actor: string; actors: Actors }) {
  if (!actor.startsWith(AGENT_PREFIX)) return <PlainText text={actorName(actor, actors)} />
  return (
    <Link
      look="quiet"
      href={`/p/${actors.projectId}/agent/${actor.slice(AGENT_PREFIX.length)}`}
      class="underline"
    >
      {t('An agent job')}
    </Link>
  )
}

/** Returns the member's name, or a description for API keys and the server. */
function actorName(actor: string, { members }: Actors): string {
  if (actor.startsWith('key_')) return t('An API key')
  if (actor === 'cli') return t('The command line')
  if (actor === 'system') return 'Octavo'
  return members.get(actor) ?? t('A former member')
}

function describeStatusChange(parts: Parts, from: FeedbackStatus | null, to: FeedbackStatus) {
  const after = { ...parts, to: statusLabel(to).label }
  if (from === null)
    return parts.isMe
      ? rich('<b>You</b> changed the status to {to}', after)
      : rich('{name} changed the status to {to}', after)
  const both = { ...after, from: statusLabel(from).label }
  return parts.isMe
    ? rich('<b>You</b> changed {from} to {to}', both)
    : rich('{name} changed {from} to {to}', both)
}

function describeAssigneeChange(
  parts: Parts,
  actor: string,
  { from, to }: NonNullable<FeedbackChange['assignee']>,
  actors: Actors,
) {
  const { isMe } = parts
  if (to === null && from === actor)
    return isMe
      ? rich('<b>You</b> removed your assignment', parts)
      : rich('{name} removed their assignment', parts)
  if (to === actor)
    return isMe
      ? rich('<b>You</b> assigned this to yourself', parts)
      : rich('{name} assigned this to themselves', parts)
  const other = to ?? from ?? ''
  const more = { ...parts, assignee: assigneeName(other, actors) }
  if (to === null) {
    if (other === actors.me) return rich('{name} unassigned you', parts)
    return isMe ? rich('<b>You</b> unassigned {assignee}', more) : rich('{name} unassigned {assignee}', more)
  }
  if (other === actors.me) return rich('{name} assigned you', parts)
  return isMe ? rich('<b>You</b> assigned {assignee}', more) : rich('{name} assigned {assignee}', more)
}

function assigneeName(id: string, { members }: Actors) {
  return <PlainText text={members.get(id) ?? t('a former member', { context: 'object' })} />
}

function describeAddedLabels(parts: Parts, names: readonly string[]) {
  const more = { ...parts, labels: <PlainText text={names.join(', ')} /> }
  return parts.isMe
    ? richPlural(
        names.length,
        '<b>You</b> added the label {labels}',
        '<b>You</b> added the labels {labels}',
        more,
      )
    : richPlural(names.length, '{name} added the label {labels}', '{name} added the labels {labels}', more)
}

function describeRemovedLabels(parts: Parts, names: readonly string[]) {
  const more = { ...parts, labels: <PlainText text={names.join(', ')} /> }
  return parts.isMe
    ? richPlural(
        names.length,
        '<b>You</b> removed the label {labels}',
        '<b>You</b> removed the labels {labels}',
        more,
      )
    : richPlural(
        names.length,
        '{name} removed the label {labels}',
        '{name} removed the labels {labels}',
        more,
      )
}
