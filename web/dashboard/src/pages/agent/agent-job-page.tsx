/** Page of an agent job: its live steps, the resulting change and the available actions. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { AgentWorkDetail } from '../../../../../src/features/dashboard/operations/work.ts'
import { internalKey, internalQuery } from '../../api/internal.ts'
import { useCommands } from '../../app/commands.ts'
import { useProjectId } from '../../app/current-project.ts'
import { useEscapeTo } from '../../app/frame.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { StatusDot } from '../../ui/badge.tsx'
import { classes } from '../../ui/classes.ts'
import { CopyId } from '../../ui/copy.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { PageHeader } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useIsNarrow, useIsPhone } from '../../ui/use-width.ts'
import { t } from '../../words/words.ts'
import { StartedBy } from '../started-by.tsx'
import { FollowUp } from './follow-up.tsx'
import { JobActions } from './job-actions.tsx'
import { JobChanges } from './job-changes.tsx'
import { Decision } from './job-decision.tsx'
import { findLastEvent, useJobEvents } from './job-events.ts'
import { CollapsibleFacts, JobFacts } from './job-facts.tsx'
import { isFailureExplained, JobFailure } from './job-failure.tsx'
import { describeJobState, jobTitle } from './job-labels.ts'
import { JobPreview } from './job-preview.tsx'
import { JobSteps } from './job-steps.tsx'

function workQuery(projectId: string, id: string) {
  return internalQuery('getAgentWork', { params: { projectId, id } })
}

export function preload({ params }: { params: Record<string, string> }): void {
  void queryClient.prefetchQuery(workQuery(params.projectId ?? '', params.jobId ?? ''))
}

export function AgentJobPage() {
  const projectId = useProjectId()
  const { jobId = '' } = useParams({ strict: false })
  const {
    data: work,
    error,
    refetch,
  } = useQuery({
    ...workQuery(projectId, jobId),
    // A waiting job emits no steps, so it is polled.
    refetchInterval: ({ state: { data } }: { state: { data: AgentWorkDetail | undefined } }) =>
      data?.job.queuedBehind === undefined ? false : QUEUE_POLL_INTERVAL_MS,
  })
  useEscapeTo(`/p/${projectId}/agent`)
  if (work === undefined) {
    return (
      <>
        <PageHeader title={t('Agent job')} back={{ href: `/p/${projectId}/agent`, label: t('Agent') }} />
        {error === null ? <JobSkeleton /> : <ErrorState error={error} onRetry={refetch} />}
      </>
    )
  }
  return <Job key={jobId} projectId={projectId} work={work} />
}

const QUEUE_POLL_INTERVAL_MS = 3000

const TABS = ['steps', 'changes', 'preview'] as const
type Tab = (typeof TABS)[number]

function Job({ projectId, work }: JobProps) {
  const { job } = work
  const steps = useJobEvents(projectId, job.id, job.status === 'active')
  const [tab, go] = useTab()
  const mayWork = useHasPermission('agent')
  useWorkRefresh(projectId, job.id, steps.events.length)
  return (
    <>
      <JobHeader projectId={projectId} work={work} mayWork={mayWork} tab={tab} go={go} />
      <div
        id={`panel-${tab}`}
        role="tabpanel"
        aria-labelledby={`tab-${tab}`}
        class={classes(
          'relative flex min-h-0 flex-1 max-lg:overflow-y-auto',
          tab !== 'preview' && 'max-lg:block',
          tab === 'steps' && 'max-w-frame',
        )}
        data-scrolls
      >
        <JobPanel projectId={projectId} work={work} mayWork={mayWork} steps={steps} tab={tab} go={go} />
      </div>
    </>
  )
}

interface JobProps {
  projectId: string
  work: AgentWorkDetail
}

interface TabProps extends JobProps {
  mayWork: boolean
  tab: Tab
  go: (to: Tab) => void
}

function useTab(): [Tab, (to: Tab) => void] {
  const [parameters, change] = useQueryParameters()
  const go = (to: Tab) => change({ tab: to === 'steps' ? undefined : to }, { replace: true })
  useCommands([
    { id: 'job-steps', label: t('Show the steps'), keys: '1', run: () => go('steps') },
    { id: 'job-changes', label: t('Show the changes'), keys: '2', run: () => go('changes') },
    { id: 'job-preview', label: t('Show the rendered pages'), keys: '3', run: () => go('preview') },
  ])
  return [TABS.find((one) => one === parameters.tab) ?? 'steps', go]
}

function JobHeader({ projectId, work, mayWork, tab, go }: TabProps) {
  const { job } = work
  const isPhone = useIsPhone()
  const actions = <JobActions projectId={projectId} work={work} mayWork={mayWork} isTight={isPhone} />
  return (
    <PageHeader
      title={jobTitle(work)}
      back={{ href: `/p/${projectId}/agent`, label: t('Agent') }}
      about={
        <span class="flex flex-wrap items-center gap-x-3 gap-y-1">
          <StatusDot {...describeJobState(work)} />
          <StartedBy person={work.startedBy} />
          <RelativeTime at={job.createdAt} />
          <CopyId id={job.id} label={t('Copy the id of the job')} isWhole={false} />
        </span>
      }
      actions={isPhone ? undefined : actions}
    >
      <div class="flex items-center justify-between gap-2">
        <div role="tablist" aria-label={t('Parts of the job')} class="-mb-px flex gap-4 overflow-x-auto">
          <TabButton id="steps" tab={tab} onChoose={go}>
            {t('Steps')}
          </TabButton>
          <TabButton id="changes" tab={tab} onChoose={go}>
            {t('Changes')}
            {job.filesChanged > 0 && <span class="ml-1.5 text-faint">{formatCount(job.filesChanged)}</span>}
          </TabButton>
          <TabButton id="preview" tab={tab} onChoose={go}>
            {t('Preview')}
          </TabButton>
        </div>
        {isPhone && <div class="-mr-2 flex items-center">{actions}</div>}
      </div>
    </PageHeader>
  )
}

/** Panel of the selected tab, with the job's facts beside the steps or collapsed above them. */
function JobPanel({
  projectId,
  work,
  mayWork,
  steps,
  tab,
  go,
}: TabProps & { steps: ReturnType<typeof useJobEvents> }) {
  const { events } = steps
  const isNarrow = useIsNarrow()
  const isActive = work.job.status === 'active'
  const plan = findLastEvent(events, 'plan')
  const facts = (
    <JobFacts
      projectId={projectId}
      work={work}
      usage={findLastEvent(events, 'usage')}
      changes={findLastEvent(events, 'changes')}
      plan={plan}
    />
  )
  return (
    <>
      <div
        class={classes('min-w-0 flex-1 lg:overflow-y-auto', tab === 'preview' && 'flex flex-col')}
        data-scrolls
      >
        {work.state === 'open' && !isActive && mayWork && (
          <Decision projectId={projectId} work={work} onLook={tab === 'steps' ? () => go('changes') : null} />
        )}
        <JobFailure projectId={projectId} job={work.job} mayWork={mayWork} />
        {tab === 'steps' && isNarrow && (
          <CollapsibleFacts work={work} plan={plan}>
            {facts}
          </CollapsibleFacts>
        )}
        {tab === 'steps' && <Steps projectId={projectId} work={work} mayWork={mayWork} steps={steps} />}
        {tab === 'changes' && <JobChanges projectId={projectId} work={work} mayWork={mayWork} />}
        {tab === 'preview' && <JobPreview projectId={projectId} work={work} />}
      </div>
      {tab === 'steps' && !isNarrow && (
        <aside
          aria-label={t('About the job')}
          class="w-80 shrink-0 overflow-y-auto border-l border-line px-5 py-6"
        >
          {facts}
        </aside>
      )}
    </>
  )
}

function Steps({
  projectId,
  work,
  mayWork,
  steps: { events, error, isRead },
}: JobProps & Pick<TabProps, 'mayWork'> & { steps: ReturnType<typeof useJobEvents> }) {
  return (
    <div class="px-6 pt-6 max-md:px-4">
      <div class="max-w-form">
        {error !== null && <ErrorState error={error} isSmall />}
        <JobSteps
          events={events}
          prompts={work.prompts}
          isRead={isRead}
          isActive={work.job.status === 'active'}
          isReasonAbove={isFailureExplained(work.job)}
        />
        {mayWork ? <FollowUp projectId={projectId} work={work} /> : <div class="h-6" />}
      </div>
    </div>
  )
}

/** Refetches the job after new steps, whose counts it includes. Delayed, because steps arrive more often. */
function useWorkRefresh(projectId: string, id: string, eventCount: number): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (eventCount === 0) return
    const timer = setTimeout(() => {
      void queries.invalidateQueries({ queryKey: internalKey('getAgentWork', { params: { projectId, id } }) })
    }, 400)
    return () => clearTimeout(timer)
  }, [queries, projectId, id, eventCount])
}

function TabButton({
  id,
  tab,
  onChoose,
  children,
}: {
  id: Tab
  tab: Tab
  onChoose: (tab: Tab) => void
  children: ComponentChildren
}) {
  const isChosen = id === tab
  return (
    <button
      type="button"
      role="tab"
      id={`tab-${id}`}
      aria-selected={isChosen}
      aria-controls={`panel-${id}`}
      tabIndex={isChosen ? 0 : -1}
      class={classes(
        'h-9 coarse:h-(--control) border-b-2 px-0.5 text-13 font-medium whitespace-nowrap outline-offset-[-2px]',
        isChosen ? 'border-accent-9 text-text' : 'border-transparent text-soft hover:text-text',
      )}
      onClick={() => onChoose(id)}
      onKeyDown={(event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
        if (step === undefined) return
        const to = TABS[(TABS.indexOf(id) + step + TABS.length) % TABS.length] as Tab
        onChoose(to)
        document.getElementById(`tab-${to}`)?.focus()
      }}
    >
      {children}
    </button>
  )
}

function JobSkeleton() {
  return (
    <div class="w-full max-w-form space-y-3 px-6 py-6">
      <Skeleton class="h-20 w-full rounded-md" />
      <Skeleton class="h-4 w-2/3" />
      <Skeleton class="h-4 w-1/2" />
      <Skeleton class="h-4 w-3/5" />
    </div>
  )
}
