/** Rendered pages before and after the change, in frames that are isolated from the dashboard. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { AgentPreviews, AgentWorkDetail } from '../../../../../src/features/dashboard/operations/work.ts'
import { internalQuery } from '../../api/internal.ts'
import { SegmentedControl } from '../../ui/choice.tsx'
import { classes } from '../../ui/classes.ts'
import { Select } from '../../ui/input.tsx'
import { Link } from '../../ui/link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { useIsNarrow } from '../../ui/use-width.ts'
import { t } from '../../words/words.ts'
import { NoChange } from './job-changes.tsx'

type Page = AgentPreviews['pages'][number]

type View = 'both' | 'before' | 'after'
const VIEWS = [
  { value: 'both', label: t('Both') },
  { value: 'before', label: t('Before') },
  { value: 'after', label: t('After') },
] as const

export function JobPreview({ projectId, work: { job } }: { projectId: string; work: AgentWorkDetail }) {
  const previews = useQuery({
    ...internalQuery('getAgentPreviews', { params: { projectId, id: job.id } }),
    meta: { live: ['agent_job'] },
  })
  if (previews.data === undefined) {
    if (previews.error !== null) return <ErrorState error={previews.error} onRetry={previews.refetch} />
    return <Skeleton class="m-6 h-96 rounded-md" />
  }
  const { pages } = previews.data
  if (pages.length === 0) {
    if (job.filesChanged === 0) return <NoChange status={job.status} />
    return (
      <EmptyState icon="eye" title={t('No page to show')}>
        <p>{t('The change affects no pages, only other files. See them under Changes.')}</p>
      </EmptyState>
    )
  }
  return <PreviewedPages pages={pages} />
}

export function PreviewedPages({ pages }: { pages: readonly Page[] }) {
  const [path, setPath] = useState<string | null>(null)
  const isNarrow = useIsNarrow()
  const [chosen, setView] = useState<View | null>(null)
  const view = chosen ?? (isNarrow ? 'after' : 'both')
  const page = pages.find((one) => one.path === path) ?? pages[0]
  if (page === undefined) return null
  return (
    <div class="flex min-h-[560px] flex-1 flex-col px-6 py-4 max-md:px-4">
      <div class="mb-3 flex flex-wrap items-center gap-3">
        {pages.length > 1 ? (
          <Select
            aria-label={t('Page')}
            class="w-full sm:w-auto sm:max-w-md"
            value={page.path}
            options={pages.map(({ path }) => ({ value: path, label: path }))}
            onChange={setPath}
          />
        ) : (
          <span class="font-mono text-12">
            <PlainText text={page.path} />
          </span>
        )}
        <SegmentedControl label={t('Show')} choices={VIEWS} value={view} onChange={setView} />
      </div>
      <div class={classes('grid min-h-0 flex-1 gap-4', view === 'both' && 'lg:grid-cols-2')}>
        {view !== 'after' && <Side words={beforeLabels(page)} address={page.before} />}
        {view !== 'before' && <Side words={afterLabels(page)} address={page.after} />}
      </div>
    </div>
  )
}

function beforeLabels({ path }: Page) {
  return {
    title: t('Before'),
    frame: t('Before: {path}', { path }),
    open: t('Open the page before the change'),
    missing: t('The page is new.'),
  }
}

function afterLabels({ path }: Page) {
  return {
    title: t('After'),
    frame: t('After: {path}', { path }),
    open: t('Open the page after the change'),
    missing: t('The page was removed.'),
  }
}

function Side({ words, address }: { words: ReturnType<typeof beforeLabels>; address: string | null }) {
  const [shown, setShown] = useState<string | null>(null)
  return (
    <figure class="flex min-h-[480px] min-w-0 flex-col overflow-hidden rounded-md border border-line">
      <figcaption class="flex items-center justify-between border-b border-line bg-sunken px-3 py-1.5 text-12 text-soft">
        {words.title}
        {address !== null && (
          <Link look="quiet" href={address} target="_blank" aria-label={words.open}>
            {t('Open')}
          </Link>
        )}
      </figcaption>
      {address === null ? (
        <p class="m-auto text-13 text-soft">{words.missing}</p>
      ) : (
        <div class="relative flex min-h-0 flex-1">
          {shown !== address && (
            <div class="absolute inset-0 space-y-4 p-8" aria-hidden="true">
              <Skeleton class="h-7 w-1/2" />
              <Skeleton class="h-4 w-full" />
              <Skeleton class="h-4 w-5/6" />
              <Skeleton class="h-4 w-2/3" />
              <Skeleton class="h-40 w-full rounded-md" />
            </div>
          )}
          <iframe
            key={address}
            src={address}
            title={words.frame}
            // Without allow-same-origin, scripts of the page run in an opaque origin.
            sandbox="allow-scripts allow-popups"
            referrerpolicy="no-referrer"
            class={classes('relative min-h-0 w-full flex-1', shown === address && 'bg-page')}
            onLoad={() => setShown(address)}
          />
        </div>
      )}
    </figure>
  )
}
