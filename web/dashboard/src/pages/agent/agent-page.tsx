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
import { ButtonLink } from '../../ui/button.tsx'
import { SegmentedControl } from '../../ui/choice.tsx'
import { useGo } from '../../ui/link.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { plural, t } from '../../words/words.ts'
import { WorkList, type WorkRow } from '../background-jobs/work-list.tsx'
import { describeReason } from '../job-reason.tsx'
import { displayPersonName } from '../person-name.ts'
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
  const show = (to: 'current' | 'archived') => change({ list: to === 'archived' ? to : undefined })
  const startJob = useStartJob(list, show, box)
  useAgentCommands(projectId, list, show, mayWork ? startJob : null)
  return (
    <>
      <PageHeader
        title={t('Agent')}
        about={<p class="max-md:hidden">{t('Describe a change and get a checked pull request.')}</p>}
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
        {mayWork && list === 'current' && (
          <div class="mb-6">
            <NewJob fieldRef={box} />
          </div>
        )}
        <WorkList
          label={list === 'archived' ? t('Archived jobs') : t('Jobs')}
          columns={[{ isEnd: true }, { isEnd: true }, {}]}
          pages={pages}
          rows={jobs.map((work) => toRow(projectId, work))}
          moreLabel={t('Show older jobs')}
          empty={
            list === 'archived' ? (
              <EmptyState icon="archive" title={t('Nothing is archived')}>
                <p>
                  {t(
                    'Finished jobs can be archived from their page. They keep their steps but accept no more messages.',
                  )}
                </p>
              </EmptyState>
            ) : (
              <NoJobYet mayWork={mayWork} projectId={projectId} />
            )
          }
        />
      </PageBody>
    </>
  )
}

function toRow(projectId: string, work: AgentWork): WorkRow {
  const { job, startedBy, costUsd } = work
  const { inputTokens, outputTokens } = job.usage
  const state = describeJobState(work)
  return {
    id: job.id,
    href: `/p/${projectId}/agent/${job.id}`,
    state,
    title: jobTitle(work),
    note: state.tone === 'danger' ? describeReason(job) : null,
    at: job.createdAt,
    cells: [
      job.filesChanged > 0 && plural(job.filesChanged, '{count} file', '{count} files'),
      formatUsd(costUsd) ?? t('{tokens} tok.', { tokens: formatTokenCount(inputTokens + outputTokens) }),
      displayPersonName(startedBy),
    ],
  }
}

/** Focuses the form for a new job. Switches to the list of current jobs first, because other lists have no form. */
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

/** `startJob` is null for members who may not start a job. */
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
              'Describe what should change. The agent reads and edits the docs, checks the whole site in the same way as publishing does, and proposes the change for your review.',
            )
          : t('When an editor starts a job, its steps and changes appear here.')}
      </p>
    </EmptyState>
  )
}
