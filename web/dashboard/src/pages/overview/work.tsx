/** Running and recent work: agent jobs, exports, the published site. */

import type { ComponentChildren } from 'preact'
import type { Overview } from '../../../../../src/features/dashboard/operations/overview.ts'
import { useHasPermission } from '../../app/session.ts'
import { StatusDot, type Tone } from '../../ui/badge.tsx'
import { Link } from '../../ui/link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Progress } from '../../ui/progress.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { plural, t } from '../../words/words.ts'
import { jobTitle, describeJobState as stateOfJob } from '../agent/job-labels.ts'
import { describeDeploymentState } from '../deployments/deployment-labels.ts'
import { describeExportState as stateOfExport } from '../exports/export-labels.ts'
import { formatPageProgress } from '../page-counts.ts'

type Export = Overview['exports']['jobs'][number]
type Deployment = NonNullable<Overview['site']['lastDeployment']>

const ROWS = 4

export function Work({ projectId, overview }: { projectId: string; overview: Overview }) {
  const base = `/p/${projectId}`
  const { agent, exports, site } = overview
  return (
    <div class="min-w-0 space-y-8">
      <Part title={t('Agent jobs')} href={`${base}/agent`} running={agent.active}>
        <AgentJobs jobs={agent.jobs} base={base} />
      </Part>
      <Part title={t('Exports')} href={`${base}/exports`} running={exports.running}>
        <Exports jobs={exports.jobs} base={base} />
      </Part>
      <Part
        title={t('Published site')}
        href={`${base}/site`}
        running={isDeploying(site.lastDeployment) ? 1 : 0}
      >
        <Published deployment={site.lastDeployment} base={base} />
      </Part>
    </div>
  )
}

function AgentJobs({ jobs, base }: { jobs: Overview['agent']['jobs']; base: string }) {
  const mayAsk = useHasPermission('agent')
  if (jobs.length === 0)
    return (
      <Nothing>
        {t('None yet.', { context: 'agent jobs' })}{' '}
        {mayAsk && <Link href={`${base}/agent`}>{t('Ask the agent for a change')}</Link>}
      </Nothing>
    )
  return jobs.slice(0, ROWS).map((job) => (
    <Row key={job.job.id} href={`${base}/agent/${job.job.id}`} state={stateOfJob(job)} at={job.job.updatedAt}>
      <PlainText text={jobTitle(job)} />
    </Row>
  ))
}

function Exports({ jobs, base }: { jobs: readonly Export[]; base: string }) {
  const mayExport = useHasPermission('exports')
  if (jobs.length === 0)
    return (
      <Nothing>
        {t('None yet.', { context: 'exports' })}{' '}
        {mayExport && <Link href={`${base}/exports`}>{t('Export the site as an archive')}</Link>}
      </Nothing>
    )
  return jobs.slice(0, ROWS).map((job) => (
    <Row key={job.jobId} href={`${base}/exports/${job.jobId}`} state={stateOfExport(job)} at={job.updatedAt}>
      <PlainText text={job.version ?? job.domain} />
      {job.status === 'running' && (
        <Pages job={job} label={t('Export of {domain}', { domain: job.domain })} />
      )}
    </Row>
  ))
}

function Published({ deployment, base }: { deployment: Deployment | null; base: string }) {
  const mayDeploy = useHasPermission('deployments')
  if (deployment === null)
    return (
      <Nothing>
        {t('Not published yet.')} {mayDeploy && <Link href={`${base}/site`}>{t('Publish the site')}</Link>}
      </Nothing>
    )
  return (
    <Row href={`${base}/site`} state={describeDeploymentStatus(deployment)} at={deployment.updatedAt}>
      {plural(deployment.pageCount, '{count} page', '{count} pages')}
      {deployment.status === 'running' && <Pages job={deployment} label={t('Deployment')} />}
    </Row>
  )
}

interface PartProps {
  title: string
  href: string
  running: number
  children: ComponentChildren
}

function Part({ title, href, running, children }: PartProps) {
  return (
    <section aria-label={title}>
      <div class="flex items-baseline justify-between gap-3 border-b border-line pb-2">
        <h2 class="text-14 font-semibold">
          <Link look="quiet" href={href}>
            {title}
          </Link>
        </h2>
        {running > 0 && (
          <span class="text-12 text-accent-11">{plural(running, '{count} running', '{count} running')}</span>
        )}
      </div>
      <div>{children}</div>
    </section>
  )
}

interface RowProps {
  href: string
  state: { tone: Tone; label: string; isLive?: boolean }
  at: string
  children: ComponentChildren
}

function Row({ href, state, at, children }: RowProps) {
  return (
    <Link
      look="none"
      href={href}
      class="flex min-h-(--row) items-center gap-3 border-b border-line py-1.5 text-13 outline-offset-[-2px] hover:bg-hover"
    >
      <span class="w-28 shrink-0">
        <StatusDot {...state} />
      </span>
      <span class="min-w-0 flex-1 truncate">{children}</span>
      <RelativeTime at={at} class="shrink-0 text-12 text-faint" />
    </Link>
  )
}

function Nothing({ children }: { children: ComponentChildren }) {
  return <p class="py-2.5 text-13 text-soft">{children}</p>
}

function Pages({ job, label }: { job: Pick<Export, 'pageCount' | 'totalPages'>; label: string }) {
  const extent = formatPageProgress(job)
  return (
    <span class="mt-1 flex items-center gap-2">
      <span class="w-24">
        <Progress isBare label={label} value={job.pageCount} total={job.totalPages} extent={extent} />
      </span>
      <span class="text-12 text-faint tabular-nums">{job.totalPages !== null && extent}</span>
    </span>
  )
}

function isRunning(status: string): boolean {
  return status === 'queued' || status === 'running'
}

function isDeploying(deployment: Deployment | null): boolean {
  return deployment !== null && isRunning(deployment.status)
}

function describeDeploymentStatus(deployment: Deployment): { tone: Tone; label: string; isLive?: boolean } {
  if (deployment.status === 'published') return { tone: 'success', label: t('Published') }
  if (deployment.status === 'running') return { tone: 'accent', label: t('Publishing'), isLive: true }
  return describeDeploymentState(deployment)
}
