/** Context of an entry: the code block, the published page, and duplicates. */

import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { FeedbackEntry } from '../../../../../src/features/feedback/operations/feedback.ts'
import type { Duplicate, FeedbackContext } from '../../../../../src/features/feedback/operations/inbox.ts'
import { internalQuery } from '../../api/internal.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Diff } from '../../ui/diff.tsx'
import { Part } from '../../ui/fact.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { plural, t } from '../../words/words.ts'
import { JobSummaryList } from '../agent/job-lines.tsx'

export function contextQuery(projectId: string, feedbackId: string) {
  return {
    ...internalQuery('getFeedbackContext', { params: { projectId, feedbackId } }),
    meta: { live: ['feedback', 'agent_job', 'deployment'] },
  }
}

interface EntryContextProps {
  projectId: string
  entry: FeedbackEntry
  /** Only set for members who may change entries. */
  onPickDuplicates?: ((entries: readonly Duplicate[]) => void) | undefined
}

export function EntryContext({ projectId, entry, onPickDuplicates }: EntryContextProps) {
  const { data, error, refetch } = useQuery(contextQuery(projectId, entry.id))
  const code = entry.source === 'code_snippet' ? entry : null
  return (
    <>
      {code !== null && <Code entry={code} context={data} />}
      {error !== null && data === undefined && (
        <Part class="mt-6" title={t('The page')}>
          <ErrorState isSmall error={error} onRetry={refetch} />
        </Part>
      )}
      {data === undefined && error === null && (
        <Part class="mt-6" title={t('The page')}>
          <Skeleton class="h-4 w-2/3" />
        </Part>
      )}
      {data !== undefined && (
        <>
          <Page context={data} code={code?.code ?? null} />
          {data.duplicates.count !== 0 && (
            <Part class="mt-6" title={t('Same feedback')}>
              <div class="flex flex-wrap items-center justify-between gap-2 text-13">
                <span>
                  {plural(
                    data.duplicates.count,
                    '{count} other entry of this page says the same.',
                    '{count} other entries on this page say the same.',
                  )}
                </span>
                {onPickDuplicates && (
                  <Button size="small" onClick={() => onPickDuplicates(data.duplicates.entries)}>
                    {data.duplicates.entries.length < data.duplicates.count
                      ? t('Set the status of the newest {count}…', { count: data.duplicates.entries.length })
                      : t('Set the status of all of them…')}
                  </Button>
                )}
              </div>
            </Part>
          )}
          {data.agentJobs.length !== 0 && (
            <Part class="mt-6" title={t('Agent jobs for this entry')}>
              <JobSummaryList projectId={projectId} jobs={data.agentJobs} />
            </Part>
          )}
        </>
      )}
    </>
  )
}

type CodeEntry = Extract<FeedbackEntry, { source: 'code_snippet' }>

function Code({ entry, context }: { entry: CodeEntry; context: FeedbackContext | undefined }) {
  const published = context?.code
  const heading = published?.heading
    ? t('Block {number}, below “{heading}”', { number: published.number, heading: published.heading })
    : null
  if (published && !published.isSame) {
    return (
      <Part class="mt-6" title={t('The code block')}>
        <p class="mb-2 text-13 text-soft">
          {t(
            'The page has changed since. This is the most similar block: red is what the reader saw, green is what is published now.',
          )}
        </p>
        <div class="overflow-hidden rounded-sm border border-line bg-raised">
          <Diff path={entry.filename ?? entry.path} before={entry.code} after={published.text} />
        </div>
        {heading !== null && (
          <p class="mt-1.5 text-12 text-faint">
            <PlainText text={heading} />
          </p>
        )}
      </Part>
    )
  }
  return (
    <Part class="mt-6" title={t('The code block')}>
      <CodeBlock text={entry.code} title={entry.filename ?? published?.title ?? null} lang={entry.lang} />
      <p class="mt-1.5 flex flex-wrap items-center gap-x-2 text-12 text-faint">
        {published ? (
          <>
            <Icon name="check" size={12} class="text-success" /> {t('Published unchanged.')}
          </>
        ) : (
          context && t('The published page no longer has this block.')
        )}
        {heading !== null && <PlainText text={heading} />}
      </p>
    </Part>
  )
}

/** The page's text is collapsed by default; for feedback on code it opens at the block. */
function Page({ context: { page, code }, code: seen }: { context: FeedbackContext; code: string | null }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Part class="mt-6" title={t('The page')}>
      <div class="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p class="min-w-0 break-words">
          <span class="font-medium">
            <PlainText text={page.title ?? page.path} />
          </span>
        </p>
        {page.url !== null && (
          <Link href={page.url} target="_blank" class="inline-flex items-center gap-1 text-13">
            {t('Open the page')} <Icon name="arrow-up-right" size={14} />
          </Link>
        )}
      </div>
      {page.url === null && <p class="text-13 text-soft">{t('This page is no longer published.')}</p>}
      {page.markdown !== null && (
        <>
          <Button
            size="small"
            look="quiet"
            icon={isOpen ? 'chevron-down' : 'chevron-right'}
            class="mt-1 -ml-2"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? t('Hide the text') : t('Read its text here')}
          </Button>
          {isOpen && <PageText markdown={page.markdown} block={code?.text ?? seen} />}
        </>
      )}
    </Part>
  )
}

function PageText({ markdown, block }: { markdown: string; block: string | null }) {
  const mark = useRef<HTMLElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [before, marked, after] = useMemo(() => splitAround(markdown, block), [markdown, block])
  useLayoutEffect(() => {
    if (box.current && mark.current) box.current.scrollTop = Math.max(0, mark.current.offsetTop - 80)
  }, [before])
  return (
    <div
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={t('Text of the page')}
      class="relative mt-1 max-h-80 overflow-auto rounded-sm border border-line bg-sunken px-3 py-2 font-mono text-12 leading-5 break-words whitespace-pre-wrap"
    >
      <PlainText text={before} />
      {marked !== '' && (
        <mark ref={mark} class="rounded-sm bg-warning-ground text-text">
          <PlainText text={marked} />
        </mark>
      )}
      <PlainText text={after} />
    </div>
  )
}

/** Splits the text into before, block and after; the block may be indented differently in the text. */
function splitAround(text: string, block: string | null): [string, string, string] {
  const blockText = block?.trim() ?? ''
  const at = blockText === '' ? -1 : text.indexOf(blockText)
  if (at === -1) return [text, '', '']
  return [text.slice(0, at), blockText, text.slice(at + blockText.length)]
}
