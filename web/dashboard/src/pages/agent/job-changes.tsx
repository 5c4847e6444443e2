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
import { Link } from '../../ui/link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { useIsNarrow } from '../../ui/use-width.ts'
import { t } from '../../words/words.ts'
import { DoubtNote } from '../statements/statement-notes.tsx'
import { DIFF_VIEWS, useDiffView } from './diff-view.ts'
import { FollowUp, type QuotedLine } from './follow-up.tsx'
import { reviewQuery } from './review-query.ts'
import { RiskList } from './risk-list.tsx'

interface JobChangesProps {
  projectId: string
  work: AgentWorkDetail
  mayWork: boolean
}

export function JobChanges({ projectId, work, mayWork }: JobChangesProps) {
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
  const doubt = <DoubtNote projectId={projectId} files={review.files} />
  if (!mayWork || job.status === 'archived')
    return (
      <>
        {doubt}
        <Changes review={review} />
      </>
    )
  const quote = (path: string, line: DiffLine) =>
    setQuoted({ number: (quoted?.number ?? 0) + 1, text: formatQuotation(path, line) })
  return (
    <>
      {doubt}
      <Changes review={review} onLine={quote} />
      <div class="px-6 max-md:px-4">
        <div class="max-w-form">
          <FollowUp projectId={projectId} work={work} quoted={quoted} />
        </div>
      </div>
    </>
  )
}

const MAX_QUOTED_CHARACTERS = 200

/** Returns a prefix that identifies the commented line for the agent. */
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

type DiffLineHandler = (path: string, line: DiffLine) => void

export function Changes({ review, onLine }: { review: AgentReview; onLine?: DiffLineHandler }) {
  const { summary, files, risks } = review
  const closedFrom = firstClosedFile(files)
  const isWide = !useIsNarrow()
  const [view, setView] = useDiffView()
  return (
    <div class="max-w-frame px-6 py-6 max-md:px-4">
      {risks.length > 0 && (
        <section
          aria-label={t('Risks')}
          class="mb-6 max-w-form rounded-md border border-line bg-sunken px-4 py-3"
        >
          <h2 class="text-13 font-medium">{t('Review these first')}</h2>
          <RiskList risks={risks} />
        </section>
      )}
      {summary !== null && (
        <p class="mb-6 max-w-form text-14 leading-relaxed break-words whitespace-pre-wrap" dir="auto">
          <PlainText text={summary} />
        </p>
      )}
      <CodeReferences {...review} />
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
      {isWide && (
        <div class="mb-4 flex justify-end">
          <SegmentedControl
            label={t('Lines', { context: 'diff' })}
            choices={DIFF_VIEWS}
            value={view}
            onChange={setView}
          />
        </div>
      )}
      <div class="space-y-5">
        {files.map((file, index) => (
          <FileCard
            key={file.path}
            file={file}
            id={`file-${index}`}
            isSplit={isWide && view === 'split'}
            isOpenAtFirst={index < closedFrom}
            onLine={onLine}
          />
        ))}
      </div>
    </div>
  )
}

/** Maximum total characters of initially expanded files: browsers get slow beyond that, and nobody reads that far. */
const MAX_OPEN_CHARACTERS = 500_000

function firstClosedFile(files: readonly ReviewedFile[]): number {
  let characters = 0
  const index = files.findIndex(({ before, after }) => {
    characters += (before?.length ?? 0) + (after?.length ?? 0)
    return characters > MAX_OPEN_CHARACTERS
  })
  return index === -1 ? files.length : Math.max(1, index)
}

/** Lines of code that the change is based on, and cited lines that were not found. */
function CodeReferences({ references, dropped }: Pick<AgentReview, 'references' | 'dropped'>) {
  if (references.length + dropped.length === 0) return null
  return (
    <section class="mb-6 max-w-form text-13 break-words">
      <h2 class="mb-1 font-medium">{t('Based on code')}</h2>
      {references.length > 0 && (
        <p class="text-soft">
          {t(
            'Each quotation was found at the given lines and shares a word with its statement. Whether it supports the statement was not checked.',
          )}
        </p>
      )}
      <ul class="mt-2 list-disc space-y-1 pl-5">
        {references.map((reference, index) => (
          <li key={index} dir="auto">
            <PlainText text={reference.claim} /> <CodeLocation {...reference} />
          </li>
        ))}
      </ul>
      {dropped.length > 0 && (
        <>
          <p class="mt-3 text-soft">
            {t('The agent cited code for these statements, but the code was not found:')}
          </p>
          <ul class="mt-2 list-disc space-y-1 pl-5">
            {dropped.map((one) => (
              <li key={one} dir="auto">
                <PlainText text={one} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function CodeLocation(reference: AgentReview['references'][number]) {
  const { repository, commit, path, firstLine, lastLine, link, quote } = reference
  const lines = firstLine === lastLine ? `L${firstLine}` : `L${firstLine}–L${lastLine}`
  const location = (
    <code>
      <PlainText text={`${repository}@${commit.slice(0, 12)} ${path} ${lines}`} />
    </code>
  )
  return (
    <>
      {link === null ? location : <Link href={link}>{location}</Link>}
      {quote !== undefined && (
        <>
          : <code>{<PlainText text={quote} />}</code>
        </>
      )}
    </>
  )
}

const CHANGE_LABELS = {
  added: t('new', { context: 'file' }),
  modified: t('changed', { context: 'file' }),
  deleted: t('deleted', { context: 'file' }),
}

interface FileCardProps {
  file: ReviewedFile
  id: string
  isSplit: boolean
  isOpenAtFirst: boolean
  onLine: DiffLineHandler | undefined
}

function FileCard({ file, id, isSplit, isOpenAtFirst, onLine }: FileCardProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
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
          {file.picture !== null && <Images path={file.path} {...file.picture} />}
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
function Images({ path, before, after }: { path: string } & NonNullable<ReviewedFile['picture']>) {
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
      <EmptyState icon="files" title={t('Nothing to review yet')}>
        <p>{t('The change appears here when the agent is done and the check has passed.')}</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon="files" title={t('No file was changed')}>
      <p>
        {status === 'failed'
          ? t(
              'The job ended before its change passed the check. Its steps show how far it got. Its work is saved, and a message resumes it.',
            )
          : t('The agent found nothing to change. Its steps explain why. Send a message to ask for more.')}
      </p>
    </EmptyState>
  )
}
