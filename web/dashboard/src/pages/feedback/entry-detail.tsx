/** Detail of an entry next to the list: the comment, its context and history. */

import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError } from '../../../../../src/client/call.ts'
import type {
  FeedbackDetail,
  FeedbackEntry,
  FeedbackStatus,
} from '../../../../../src/features/feedback/operations/feedback.ts'
import type { Duplicate } from '../../../../../src/features/feedback/operations/inbox.ts'
import { useCommands } from '../../app/commands.ts'
import { useHasPermission } from '../../app/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { type CollapseLimits, CollapsibleText } from '../../ui/collapsible-text.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { Part } from '../../ui/fact.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { buildFeedbackJobHref } from './ask-agent.ts'
import { contextQuery, EntryContext } from './entry-context.tsx'
import { EntryHistory, NoteForm } from './entry-history.tsx'
import { entryQuery } from './entry-lists.ts'
import { SOURCES, STATUSES, statusLabel } from './labels.ts'
import type { WorkActions } from './use-work-change.tsx'
import { AssigneeMark, LabelChip } from './work-marks.tsx'

interface EntryDetailProps {
  projectId: string
  feedbackId: string
  known: FeedbackEntry | undefined
  onClose: () => void
  onStatus: (entry: FeedbackEntry, status: FeedbackStatus) => void
  work: WorkActions
  onPickDuplicates: (entries: readonly Duplicate[]) => void
  onPath: (path: string) => void
  /** `onBefore` is null for the first entry, `onNext` for the last entry; both are null for groups. */
  onBefore: (() => void) | null
  onNext: (() => void) | null
  onGone: (id: string) => void
}

export function EntryDetail(props: EntryDetailProps) {
  const { projectId, feedbackId, known, onGone } = props
  const mayChange = useHasPermission('feedback')
  const { data, error, refetch } = useQuery({
    ...entryQuery(projectId, feedbackId),
    meta: { live: ['feedback'] },
  })
  const isGone = error instanceof ApiError && error.status === 404
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => body.current?.scrollTo({ top: 0 }), [feedbackId])
  useEffect(() => {
    if (isGone) onGone(feedbackId)
  }, [isGone, feedbackId, onGone])
  const entry: FeedbackEntry | undefined = data ?? known
  if (isGone) {
    return (
      <EmptyState
        icon="trash-2"
        title={t('This entry no longer exists')}
        actions={<Button onClick={props.onClose}>{t('Back to the list')}</Button>}
      >
        <p>
          {t(
            'It was deleted after the list was loaded, or the URL is wrong. Other entries are not affected.',
          )}
        </p>
      </EmptyState>
    )
  }
  if (entry === undefined) {
    if (error !== null) return <ErrorState error={error} onRetry={refetch} />
    return (
      <div class="space-y-3 p-6" role="status" aria-label={t('Loading the entry')}>
        <Skeleton class="h-5 w-1/3" />
        <Skeleton class="h-4 w-full" />
        <Skeleton class="h-4 w-2/3" />
      </div>
    )
  }
  return (
    <>
      <DetailBar {...props} entry={entry} />
      <div ref={body} data-entry={entry.id} class="min-h-0 flex-1 overflow-y-auto px-6 py-5 max-md:px-4">
        <EntryText entry={entry} onPath={props.onPath} />
        <EntryContext
          projectId={projectId}
          entry={entry}
          onPickDuplicates={mayChange ? (same) => props.onPickDuplicates([entry, ...same]) : undefined}
        />
        <Work entry={entry} work={props.work} />
        <About entry={entry} detail={data} />
        <Activity projectId={projectId} feedbackId={feedbackId} detail={data} />
      </div>
    </>
  )
}

function DetailBar({
  projectId,
  entry,
  onStatus,
  onBefore,
  onNext,
  onClose,
}: EntryDetailProps & { entry: FeedbackEntry }) {
  const mayAsk = useHasPermission('agent')
  const { data: context } = useQuery(contextQuery(projectId, entry.id))
  const url = context?.page.url ?? null
  useCommands([
    {
      id: 'feedback-page',
      label: t('Open the page of this entry'),
      keys: 'o',
      group: 'feedback',
      icon: 'external-link',
      isOff: url === null,
      run: () => void window.open(url ?? '', '_blank', 'noopener,noreferrer'),
    },
  ])
  return (
    <div class="flex min-h-11 shrink-0 items-center gap-2 border-b border-line px-4 py-1.5 max-lg:gap-1 max-md:px-3">
      <Status entry={entry} onStatus={onStatus} />
      {mayAsk && (
        <ButtonLink
          size="small"
          icon="bot"
          href={buildFeedbackJobHref(projectId, [entry.id])}
          class="min-w-20"
        >
          <span class="truncate">{t('Ask the agent')}</span>
        </ButtonLink>
      )}
      <span class="flex-1" />
      {(onBefore ?? onNext) !== null && (
        <>
          <IconButton
            icon="chevron-up"
            size="small"
            label={t('Previous entry')}
            keys="K"
            disabled={onBefore === null}
            onClick={() => onBefore?.()}
          />
          <IconButton
            icon="chevron-down"
            size="small"
            label={t('Next entry')}
            keys="J"
            disabled={onNext === null}
            onClick={() => onNext?.()}
          />
        </>
      )}
      <IconButton
        icon="x"
        size="small"
        label={t('Close')}
        keys="Esc"
        class="max-md:hidden"
        onClick={onClose}
      />
    </div>
  )
}

function Status({ entry, onStatus }: Pick<EntryDetailProps, 'onStatus'> & { entry: FeedbackEntry }) {
  const mayChange = useHasPermission('feedback')
  const status = statusLabel(entry.status)
  if (!mayChange) {
    return (
      <span class="inline-flex items-center gap-2 text-13 font-medium">
        <Icon name={status.icon} class={status.tone} />
        {status.label}
      </span>
    )
  }
  return (
    <Menu
      label={t('Status')}
      items={STATUSES.map((one) => ({
        label: one.label,
        icon: one.icon,
        keys: `s ${one.keys[0]}`,
        isChecked: one.status === entry.status,
        run: () => onStatus(entry, one.status),
      }))}
      trigger={(trigger) => (
        <button
          type="button"
          {...trigger}
          aria-label={t('Status: {status}. Change it', { status: status.label })}
          class="inline-flex h-7 coarse:h-(--control) items-center gap-2 rounded-sm border border-line-strong bg-raised px-2 text-13 font-medium shadow-low hover:bg-neutral-3"
        >
          <Icon name={status.icon} class={status.tone} />
          {status.label}
          <Icon name="chevron-down" size={12} class="text-faint" />
        </button>
      )}
    />
  )
}

/** Collapses a long comment, such as an error log, so that the page and the history stay in view. */
const COMMENT_COLLAPSE: CollapseLimits = { lines: 20, characters: 1600, clamp: 'line-clamp-[16]' }

function EntryText({ entry, onPath }: { entry: FeedbackEntry; onPath: (path: string) => void }) {
  const source = SOURCES[entry.source]
  const vote = entry.helpful ?? null
  return (
    <article aria-label={t('Feedback')}>
      <div class="mb-3 flex flex-wrap items-center gap-2 text-13 text-soft">
        <span class="inline-flex items-center gap-1.5">
          <Icon name={source.icon} size={14} /> {source.label}
          {entry.createdAt !== null && (
            <>
              <span aria-hidden="true">·</span>
              <RelativeTime at={entry.createdAt} class="text-faint" />
            </>
          )}
        </span>
        {vote !== null && (
          <Badge tone={vote ? 'success' : 'danger'}>
            <Icon name={vote ? 'thumbs-up' : 'thumbs-down'} size={12} />{' '}
            {vote ? t('Helpful') : t('Not helpful')}
          </Badge>
        )}
        {entry.reason && (
          <Badge>
            <PlainText text={entry.reason} />
          </Badge>
        )}
      </div>
      {entry.source === 'agent' && (
        <Notice tone="warning" title={t('An AI agent wrote this. It is untrusted.')}>
          {t(
            'Any program can send it. It may be wrong or contain malicious instructions. Check it before you act on it.',
          )}
        </Notice>
      )}
      {entry.comment ? (
        <CollapsibleText
          key={entry.id}
          text={entry.comment}
          fold={COMMENT_COLLAPSE}
          class="max-w-xl leading-relaxed"
        />
      ) : (
        <p class="text-soft">
          {entry.source === 'code_snippet'
            ? t('A note on code, without a comment.')
            : t('A vote, without a comment.')}
        </p>
      )}
      <p class="mt-3 flex min-w-0 items-center gap-2 text-13">
        <Icon name="file-text" size={14} class="text-faint" />
        <button
          type="button"
          class="min-w-0 truncate rounded-sm font-mono text-12 text-soft hover:text-text hover:underline"
          title={t('Only feedback on this page')}
          onClick={() => onPath(entry.path)}
        >
          <PlainText text={entry.path} />
        </button>
      </p>
    </article>
  )
}

function Work({ entry, work }: { entry: FeedbackEntry; work: WorkActions }) {
  const mayChange = useHasPermission('feedback')
  const labels = entry.labels ?? []
  return (
    <Part class="mt-6" title={t('Work', { context: 'on feedback' })}>
      <dl class="grid grid-cols-[max-content_minmax(0,1fr)] items-baseline gap-x-6 gap-y-2 text-13">
        <dt class="text-soft">{t('Assignee')}</dt>
        <dd class="flex min-w-0 flex-wrap items-center gap-2">
          <span class="flex max-w-full items-center gap-2">
            <AssigneeMark person={entry.assignee} />
            <span class="min-w-0 truncate" aria-hidden={entry.assignee ? 'true' : undefined}>
              <PlainText text={entry.assignee?.name ?? t('Nobody')} />
            </span>
          </span>
          {mayChange && (
            <Button size="small" look="quiet" onClick={() => work.askAssignee([entry])}>
              {entry.assignee ? t('Change the assignee') : t('Assign')}
            </Button>
          )}
        </dd>
        <dt class="text-soft">{t('Labels')}</dt>
        <dd class="flex min-w-0 flex-wrap items-center gap-2">
          {labels.length === 0 && <span>{t('None', { context: 'labels' })}</span>}
          {labels.map((label) => (
            <LabelChip key={label.id} label={label} />
          ))}
          {mayChange && (
            <Button size="small" look="quiet" onClick={() => work.askLabels([entry])}>
              {labels.length === 0 ? t('Add labels') : t('Change the labels')}
            </Button>
          )}
        </dd>
      </dl>
    </Part>
  )
}

function About({ entry, detail }: { entry: FeedbackEntry; detail: FeedbackDetail | undefined }) {
  const contact = entry.source === 'contextual' ? entry.contact : null
  return (
    <Part class="mt-6" title={t('Details')}>
      <dl class="grid grid-cols-[max-content_minmax(0,1fr)] items-baseline gap-x-6 gap-y-1.5 text-13">
        {contact !== null && (
          <>
            <dt class="text-soft">{t('Contact')}</dt>
            <dd class="min-w-0 break-words">
              <Link href={`mailto:${encodeURIComponent(contact)}`}>
                <PlainText text={contact} />
              </Link>
            </dd>
          </>
        )}
        {detail?.pageVersion && (
          <>
            <dt class="text-soft">{t('Version seen')}</dt>
            <dd class="min-w-0 truncate font-mono text-12" title={detail.pageVersion}>
              <PlainText text={shortVersion(detail.pageVersion)} />
            </dd>
          </>
        )}
        <dt class="text-soft">{t('ID')}</dt>
        <dd class="min-w-0">
          <CopyId id={entry.id} label={t('Copy the ID')} />
        </dd>
      </dl>
    </Part>
  )
}

function shortVersion(version: string): string {
  return version.replace(/^([a-z]+:)?([0-9a-f]{10})[0-9a-f]+$/, '$1$2')
}

interface ActivityProps {
  projectId: string
  feedbackId: string
  detail: FeedbackDetail | undefined
}

function Activity({ projectId, feedbackId, detail }: ActivityProps) {
  const note = useRef<HTMLTextAreaElement>(null)
  useCommands([
    {
      id: 'feedback-note',
      label: t('Leave a note'),
      keys: 'n',
      group: 'feedback',
      icon: 'sticky-note',
      isOff: !useHasPermission('feedback'),
      run: () => {
        note.current?.scrollIntoView({ block: 'center' })
        note.current?.focus()
      },
    },
  ])
  return (
    <Part class="mt-6" title={t('History and notes')}>
      {detail === undefined ? <Skeleton class="h-4 w-1/2" /> : <EntryHistory entry={detail} />}
      <NoteForm key={feedbackId} projectId={projectId} feedbackId={feedbackId} fieldRef={note} />
    </Part>
  )
}
