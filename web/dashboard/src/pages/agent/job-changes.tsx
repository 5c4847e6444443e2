/** Changes of a job: the agent's summary, and every file with its reason and diff. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { DiffLine } from '../../../../../src/base/files/diff-file.ts'
import type { AgentReview } from '../../../../../src/features/agent/operations/agent.ts'
import type { ReviewedFile } from '../../../../../src/features/agent/operations/agent-review.ts'
import type { AgentWorkDetail } from '../../../../../src/features/dashboard/operations/work.ts'
import { SegmentedControl } from '../../ui/choice.tsx'
import { Diff, DiffCounts } from '../../ui/diff.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { useIsNarrow } from '../../ui/use-width.ts'
import { t } from '../../words/words.ts'
import { DIFF_VIEWS, type DiffView, useDiffView } from './diff-view.ts'
import { FollowUp, type QuotedLine } from './follow-up.tsx'
import { reviewQuery } from './review-query.ts'
import { RiskList } from './risk-list.tsx'

export function JobChanges({
  projectId,
  work,
  mayWork,
}: {
  projectId: string
  work: AgentWorkDetail
  mayWork: boolean
}) {
  const { job } = work
  const [quoted, setQuoted] = useState<QuotedLine | null>(null)
  const { data: review, error, refetch } = useQuery(reviewQuery(projectId, job.id))
  if (review === undefined) {
    if (error !== null) return <ErrorState error={error} onRetry={refetch} />
    return (
      <div class="space-y-3 px-6 py-6">
        <Skeleton class="h-4 w-1/2" />
        <Skeleton class="h-40 w-full rounded-md" />
      </div>
    )
  }
  if (review.files.length === 0) return <NoChange status={job.status} />
  if (!mayWork || job.status === 'archived') return <Changes review={review} />
  const quote = (path: string, line: DiffLine) =>
    setQuoted({ number: (quoted?.number ?? 0) + 1, text: formatQuotation(path, line) })
  return (
    <>
      <Changes review={review} onLine={quote} />
      <div class="px-6 max-md:px-4">
        <div class="max-w-form">
          <FollowUp projectId={projectId} work={work} quoted={quoted} />
        </div>
      </div>
    </>
  )
}

/** Maximum characters quoted from a commented line. */
const MAX_QUOTED_CHARACTERS = 200

/** Returns the prefix that tells the agent which line a comment refers to. */
function formatQuotation(path: string, { kind, before, after, parts }: DiffLine): string {
  const line = String(kind === 'removed' ? before : after)
  const all = parts.map((part) => part.text).join('')
  const text = all.trim().slice(0, MAX_QUOTED_CHARACTERS).toWellFormed()
  if (kind === 'removed')
    return text === ''
      ? `${t('On {path}, line {line} before the change:', { path, line })} `
      : `${t('On {path}, line {line} before the change, “{text}”:', { path, line, text })} `
  return text === ''
    ? `${t('On {path}, line {line}:', { path, line })} `
    : `${t('On {path}, line {line}, “{text}”:', { path, line, text })} `
}

type OnLine = (path: string, line: DiffLine) => void

function Changes({ review: { summary, files, risks }, onLine }: { review: AgentReview; onLine?: OnLine }) {
  const isWide = !useIsNarrow()
  const [view, setView] = useDiffView()
  return (
    <div class="max-w-frame px-6 py-6 max-md:px-4">
      {risks.length > 0 && (
        <section
          aria-label={t('Risks')}
          class="mb-6 max-w-form rounded-md border border-line bg-sunken px-4 py-3"
        >
          <h2 class="text-13 font-medium">{t('Look at these first')}</h2>
          <RiskList risks={risks} />
        </section>
      )}
      {summary !== null && (
        <p class="mb-6 max-w-form text-14 leading-relaxed break-words whitespace-pre-wrap" dir="auto">
          <PlainText text={summary} />
        </p>
      )}
      {files.length > 1 && (
        <ol
          class="mb-6 max-w-form divide-y divide-line border-y border-line text-13"
          aria-label={t('Changed files')}
        >
          {files.map((file, index) => (
            <li
              key={file.path}
              class="flex min-h-8 items-center justify-between gap-3 coarse:min-h-(--control)"
            >
              <button
                type="button"
                class="truncate rounded-sm font-mono text-12 text-accent-11 hover:underline"
                onClick={() => {
                  const card = document.getElementById(`file-${index}`)
                  card?.scrollIntoView({ block: 'start' })
                  card?.querySelector('summary')?.focus({ preventScroll: true })
                }}
              >
                <PlainText text={file.path} />
              </button>
              <DiffCounts before={file.before} after={file.after} />
            </li>
          ))}
        </ol>
      )}
      {isWide && <ViewChoice view={view} onChange={setView} />}
      <div class="space-y-5">
        {files.map((file, index) => (
          <FileCard
            key={file.path}
            file={file}
            id={`file-${index}`}
            isSplit={isWide && view === 'split'}
            onLine={onLine}
          />
        ))}
      </div>
    </div>
  )
}

function ViewChoice({ view, onChange }: { view: DiffView; onChange: (view: DiffView) => void }) {
  return (
    <div class="mb-4 flex justify-end">
      <SegmentedControl
        label={t('Lines', { context: 'diff' })}
        choices={DIFF_VIEWS}
        value={view}
        onChange={onChange}
      />
    </div>
  )
}

const CHANGE_LABELS = {
  added: t('new', { context: 'file' }),
  modified: t('changed', { context: 'file' }),
  deleted: t('deleted', { context: 'file' }),
}

function FileCard({
  file,
  id,
  isSplit,
  onLine,
}: {
  file: ReviewedFile
  id: string
  isSplit: boolean
  onLine: OnLine | undefined
}) {
  const [isOpen, setOpen] = useState(true)
  return (
    <details
      id={id}
      open={isOpen}
      class="group scroll-mt-4 overflow-clip rounded-md border border-line"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary class="sticky top-0 z-1 flex min-h-9 list-none items-center gap-x-3 bg-sunken px-4 py-2 outline-offset-[-2px] [&::-webkit-details-marker]:hidden">
        <Icon
          name="chevron-right"
          size={14}
          class="shrink-0 text-faint transition-transform group-open:rotate-90"
        />
        <h2 class="min-w-0 font-mono text-12 font-medium break-words">
          <PlainText text={file.path} />
        </h2>
        <span class="shrink-0 text-12 text-soft">{CHANGE_LABELS[file.change]}</span>
        <DiffCounts before={file.before} after={file.after} />
      </summary>
      {file.reason !== null && file.reason.trim() !== '' && (
        <p class="border-t border-line px-4 py-2 text-13 text-soft break-words" dir="auto">
          <PlainText text={file.reason} />
        </p>
      )}
      {isOpen && (
        <div class="border-t border-line">
          {file.picture !== null && <Pictures path={file.path} {...file.picture} />}
          {(file.picture === null || file.before !== null || file.after !== null) && (
            <Diff
              path={file.path}
              before={file.before}
              after={file.after}
              // A new or deleted file has only one side.
              isSplit={isSplit && file.before !== null && file.after !== null}
              {...(onLine && { onLine: (line) => onLine(file.path, line) })}
            />
          )}
        </div>
      )}
    </details>
  )
}

/** Shows both versions as images; scripts in an author's SVG do not run inside `<img>`. */
function Pictures({ path, before, after }: { path: string } & NonNullable<ReviewedFile['picture']>) {
  const sides = [
    { name: t('Before'), alt: t('Before the change: {path}', { path }), address: before },
    { name: t('After'), alt: t('After the change: {path}', { path }), address: after },
  ]
  return (
    <div class="flex flex-wrap gap-4 border-b border-line p-4 last:border-b-0">
      {sides.map(
        ({ name, alt, address }) =>
          address !== null && (
            <figure key={name} class="min-w-0 max-w-full flex-1 basis-60">
              <figcaption class="mb-2 text-12 text-soft">{name}</figcaption>
              <img
                src={address}
                alt={alt}
                loading="lazy"
                class="max-h-96 max-w-full rounded-sm border border-line bg-sunken object-contain"
              />
            </figure>
          ),
      )}
    </div>
  )
}

export function NoChange({ status }: { status: AgentReview['job']['status'] }) {
  if (status === 'active') {
    return (
      <EmptyState icon="files" title={t('Nothing to look at yet')}>
        <p>{t('The change shows here when the agent has finished and its change has passed the check.')}</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon="files" title={t('No file was changed')}>
      <p>
        {status === 'failed'
          ? t(
              'The job ended before its change passed the check. Its steps show how far it got; what it had written is kept, and a message goes on with it.',
            )
          : t('The agent found that nothing had to change. Its steps say why; a message can ask for more.')}
      </p>
    </EmptyState>
  )
}
