/** Agent jobs of the project: the form for a new job and the list. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { AgentWork } from '../../../../../src/features/dashboard/operations/work.ts'
import { internalPages } from '../../api/internal.ts'
import { octavo } from '../../api/octavo.ts'
import { useCommands } from '../../app/commands.ts'
import { useProjectId } from '../../app/current-project.ts'
import { queryClient } from '../../app/query-client.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { StatusDot } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { SegmentedControl } from '../../ui/choice.tsx'
import { classes } from '../../ui/classes.ts'
import { Link, useGo } from '../../ui/link.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { plural, t } from '../../words/words.ts'
import { describeReason } from '../job-reason.tsx'
import { displayPersonName } from '../person-name.ts'
import { useRowNavigation } from '../row-navigation.ts'
import { describeJobState, formatTokenCount, formatUsd, jobTitle } from './job-labels.ts'
import { NewJob } from './new-job.tsx'

const LISTS = [
  { value: 'current', label: t('Current', { context: 'jobs' }) },
  { value: 'archived', label: t('Archived', { context: 'jobs' }) },
] as const

function workQuery(projectId: string, list: 'current' | 'archived') {
  return internalPages('listAgentWork', { params: { projectId }, query: { list } })
}

export function preload({ params }: { params: Record<string, string> }): void {
  void queryClient.prefetchInfiniteQuery(workQuery(params.projectId ?? '', 'current'))
}

export function AgentPage() {
  const projectId = useProjectId()
  const [parameters, change] = useQueryParameters()
  const list = parameters.list === 'archived' ? 'archived' : 'current'
  const pages = useInfiniteQuery(workQuery(projectId, list))
  const box = useRef<HTMLTextAreaElement>(null)
  const mayWork = useHasPermission('agent')
  const jobs = pages.data?.pages.flatMap((page) => page.jobs) ?? []
  const rows = useRowNavigation(
    jobs.map(({ job }) => `/p/${projectId}/agent/${job.id}`),
    pages,
  )
  const show = (to: 'current' | 'archived') => change({ list: to === 'archived' ? to : undefined })
  const startJob = useStartJob(list, show, box)
  useAgentCommands(projectId, list, show, mayWork ? startJob : null)
  return (
    <>
      <PageHeader
        title={t('Agent')}
        about={<p class="max-md:hidden">{t('Say what should change, and get a checked pull request.')}</p>}
        actions={
          <>
            <ButtonLink size="small" icon="zap" href={`/p/${projectId}/agent/automations`}>
              <span class="max-md:sr-only">{t('Automations')}</span>
            </ButtonLink>
            <SegmentedControl label={t('Jobs')} choices={LISTS} value={list} onChange={show} />
          </>
        }
      />
      <PageBody>
        <div>
          {mayWork && list === 'current' && (
            <div class="mb-6">
              <NewJob fieldRef={box} />
            </div>
          )}
          <Loaded query={pages} skeleton={<SkeletonRows />}>
            {() =>
              jobs.length === 0 ? (
                <NoJobs list={list} mayWork={mayWork} projectId={projectId} />
              ) : (
                <ol
                  {...rows}
                  aria-label={list === 'archived' ? t('Archived jobs') : t('Jobs')}
                  class="border-t border-line gap-x-4 @lg:grid @lg:grid-cols-[auto_minmax(0,1fr)_auto_auto] @xl:grid-cols-[auto_minmax(0,1fr)_auto_auto_auto_auto]"
                >
                  {jobs.map((work) => (
                    <JobRow key={work.job.id} work={work} projectId={projectId} />
                  ))}
                </ol>
              )
            }
          </Loaded>
          <MoreButton pages={pages} label={t('Show older jobs')} />
        </div>
      </PageBody>
    </>
  )
}

/** Focuses the form for a new job, switching to the current list first, the only one that has it. */
function useStartJob(
  list: 'current' | 'archived',
  show: (list: 'current') => void,
  box: RefObject<HTMLTextAreaElement | null>,
): () => void {
  const isBeginning = useRef(false)
  useLayoutEffect(() => {
    if (isBeginning.current) box.current?.focus()
    isBeginning.current = false
  }, [list, box])
  return () => {
    isBeginning.current = list === 'archived'
    if (list === 'archived') show('current')
    else box.current?.focus()
  }
}

/** `begin` is null for members who may not start a job. */
function useAgentCommands(
  projectId: string,
  list: 'current' | 'archived',
  show: (list: 'current' | 'archived') => void,
  startJob: (() => void) | null,
): void {
  const go = useGo()
  const other = list === 'archived' ? 'current' : 'archived'
  useCommands([
    {
      id: 'agent-new',
      label: t('Start an agent job'),
      icon: 'bot',
      keys: 'c',
      isOff: startJob === null,
      run: () => startJob?.(),
    },
    {
      id: 'agent-archived',
      label: list === 'archived' ? t('Show current jobs') : t('Show archived jobs'),
      icon: 'archive',
      run: () => show(other),
    },
    {
      id: 'agent-automations',
      label: t('Automations'),
      icon: 'zap',
      run: () => void go(`/p/${projectId}/agent/automations`),
    },
    {
      id: 'agent-settings',
      label: t('Model and limits'),
      icon: 'settings',
      run: () => void go(`/p/${projectId}/settings/agent`),
    },
  ])
}

function JobRow({ work, projectId }: { work: AgentWork; projectId: string }) {
  const { job, startedBy, costUsd } = work
  const state = describeJobState(work)
  const reason = state.tone === 'danger' ? describeReason(job) : null
  return (
    // The subgrid aligns the columns of all rows.
    <li class="border-b border-line @lg:col-span-full @lg:grid @lg:grid-cols-subgrid">
      <Link
        look="none"
        href={`/p/${projectId}/agent/${job.id}`}
        class="grid min-h-(--row) grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 -mx-2 rounded-sm px-2 py-2.5 outline-offset-[-2px] hover:bg-hover @lg:col-span-full @lg:grid-cols-subgrid @lg:gap-y-0 @lg:py-1.5"
      >
        <span class="order-2 text-13 @lg:order-none @lg:text-14">
          <StatusDot {...state} />
        </span>
        {/* A reason that would be cut to a few letters wraps to the second line, which is hidden. */}
        <span class="order-1 flex min-w-0 items-baseline gap-x-3 @lg:order-none @lg:h-5 @lg:flex-wrap @lg:overflow-hidden">
          <span
            class={classes('truncate @lg:max-w-full @lg:shrink-0', state.tone === 'neutral' && 'text-soft')}
            dir="auto"
          >
            <PlainText text={jobTitle(work)} />
          </span>
          {reason !== null && (
            <span class="hidden min-w-24 flex-1 truncate text-13 text-faint @2xl:block" dir="auto">
              <PlainText text={reason} />
            </span>
          )}
        </span>
        {reason !== null && (
          <span
            class="order-3 col-span-2 truncate text-13 text-faint @lg:col-span-3 @lg:col-start-2 @xl:col-span-5 @xl:col-start-2 @2xl:hidden"
            dir="auto"
          >
            <PlainText text={reason} />
          </span>
        )}
        <span class="order-4 col-span-2 flex items-center gap-3 text-12 whitespace-nowrap text-soft @lg:contents @lg:text-13">
          <span class="empty:hidden @lg:hidden @xl:block @xl:text-right @xl:text-13 @xl:empty:block">
            {job.filesChanged > 0 && plural(job.filesChanged, '{count} file', '{count} files')}
          </span>
          <span class="tabular-nums @lg:hidden @xl:block @xl:text-right @xl:text-13">
            {formatUsd(costUsd) ?? formatTokens(work)}
          </span>
          <span class="truncate @lg:max-w-33 @lg:text-13">{displayPersonName(startedBy)}</span>
          <span class="@lg:text-right @lg:text-13">
            <RelativeTime at={job.createdAt} />
          </span>
        </span>
      </Link>
    </li>
  )
}

function formatTokens({ job: { usage } }: AgentWork): string {
  return t('{tokens} tok.', { tokens: formatTokenCount(usage.inputTokens + usage.outputTokens) })
}

function NoJobs({ list, mayWork, projectId }: { list: string; mayWork: boolean; projectId: string }) {
  if (list === 'archived') {
    return (
      <EmptyState icon="archive" title={t('Nothing is archived')}>
        <p>
          {t(
            'Finished jobs can be archived from their page. They keep their steps, but take no more messages.',
          )}
        </p>
      </EmptyState>
    )
  }
  return <NoJobYet mayWork={mayWork} projectId={projectId} />
}

function NoJobYet({ mayWork, projectId }: { mayWork: boolean; projectId: string }) {
  const { data: hasFeedback } = useQuery({
    queryKey: ['pendingFeedback', projectId],
    queryFn: async () => {
      const { feedback } = await octavo.listFeedback(projectId, { status: 'pending', limit: 1 })
      return feedback.length > 0
    },
    enabled: mayWork,
    meta: { live: ['feedback'] },
  })
  return (
    <EmptyState
      icon="bot"
      title={t('No agent job yet')}
      actions={
        mayWork &&
        hasFeedback === true && (
          <ButtonLink href={`/p/${projectId}/feedback?status=pending`}>{t('Start from feedback')}</ButtonLink>
        )
      }
    >
      <p>
        {mayWork
          ? t(
              'Say what should change: the agent reads the docs, edits them, checks the whole site as publishing would, and proposes the change for you to review.',
            )
          : t('When an editor starts a job, its steps and its change show here.')}
      </p>
    </EmptyState>
  )
}
