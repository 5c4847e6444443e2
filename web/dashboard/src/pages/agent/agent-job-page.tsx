/** Page of an agent job: its live steps, the resulting change and the available actions. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { AgentWorkDetail } from '../../../../../src/features/dashboard/operations/work.ts'
import { internalKey, internalQuery } from '../../api/internal.ts'
import { useCommands } from '../../app/commands.ts'
import { useProjectId } from '../../app/current-project.ts'
import { useEscapeTo } from '../../app/frame.tsx'
import { queryClient } from '../../app/query-client.ts'
import { usePathParameters, useQueryParameters } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { classes } from '../../ui/classes.ts'
import { formatCount } from '../../ui/numbers.ts'
import { PageHeader } from '../../ui/page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useIsNarrow, useIsPhone } from '../../ui/use-width.ts'
import { t } from '../../words/words.ts'
import { WorkAbout, WorkLoading } from '../background-jobs/work-detail.tsx'
import { displayPersonName } from '../person-name.ts'
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
  const { jobId = '' } = usePathParameters()
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
  const back = { href: `/p/${projectId}/agent`, label: t('Agent') }
  if (work === undefined)
    return <WorkLoading title={t('Agent job')} back={back} error={error} onRetry={refetch} />
  return <Job key={jobId} projectId={projectId} work={work} />
}

const QUEUE_POLL_INTERVAL_MS = 3000

const TABS = ['steps', 'changes', 'preview'] as const
type Tab = (typeof TABS)[number]

function Job({ projectId, work }: JobProps) {
  useEscapeTo(`/p/${projectId}/agent`)
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
        <WorkAbout
          state={describeJobState(work)}
          by={displayPersonName(work.startedBy)}
          at={job.createdAt}
          id={job.id}
          idLabel={t('Copy the job ID')}
        />
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

/** Panel of the selected tab, with the job's facts next to the steps or collapsed above them. */
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
        {tab === 'steps' && (
          <div class="px-6 pt-6 max-md:px-4">
            <div class="max-w-form">
              {steps.error !== null && <ErrorState error={steps.error} isSmall />}
              <JobSteps
                events={steps.events}
                prompts={work.prompts}
                isRead={steps.isRead}
                isActive={work.job.status === 'active'}
                isReasonAbove={isFailureExplained(work.job)}
              />
              {mayWork ? <FollowUp projectId={projectId} work={work} /> : <div class="h-6" />}
            </div>
          </div>
        )}
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

/**
 * Refetches the job, which includes step counts, after new steps. Delayed to combine steps in quick
 * succession.
 */
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

interface TabButtonProps {
  id: Tab
  tab: Tab
  onChoose: (tab: Tab) => void
  children: ComponentChildren
}

function TabButton({ id, tab, onChoose, children }: TabButtonProps) {
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
