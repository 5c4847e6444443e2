/** The published site: its current version, content problems, updates and URL. */

import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import type { PublishedSite, SiteProblem } from '../../../../../src/features/projects/operations/projects.ts'
import { internalPages, internalQuery } from '../../api/internal.ts'
import { useProjectId } from '../../app/current-project.ts'
import { useEscapeTo } from '../../app/frame.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { StatusDot } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { SegmentedControl } from '../../ui/choice.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { OriginalMessage } from '../../ui/original-message.tsx'
import { PageBody, PageHeader, Section } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { translateFinding } from '../../words/finding.ts'
import { plural, t } from '../../words/words.ts'
import { NoProblems, polled, toSourceQuery } from '../background-jobs/work-detail.tsx'
import { PublishButton } from '../deployments/deployment-actions.tsx'
import { ProblemGroups } from '../problem-groups.tsx'
import { SourcePanel } from '../source-panel.tsx'
import { Version } from './site-version.tsx'

type Level = SiteProblem['level']

const LEVEL_NAMES: Record<Level, string> = { error: t('Errors'), warning: t('Warnings'), hint: t('Hints') }

function siteQuery(projectId: string, level: Level | undefined) {
  const query = { limit: 100, ...(level === undefined ? {} : { level }) }
  return internalPages('getPublishedSite', { params: { projectId }, query })
}

export function preload({ params }: { params: Record<string, string> }): void {
  const projectId = params.projectId ?? ''
  void queryClient.prefetchInfiniteQuery(siteQuery(projectId, undefined))
  void queryClient.prefetchQuery(internalQuery('getProject', { params: { projectId } }))
}

export function SitePage() {
  const projectId = useProjectId()
  const [parameters] = useQueryParameters()
  const level = (['error', 'warning', 'hint'] as const).find((one) => one === parameters.level)
  const pages = useInfiniteQuery({
    ...polled(
      siteQuery(projectId, level),
      ({ pages: [page] }: InfiniteData<PublishedSite>) => page?.current != null,
    ),
    placeholderData: keepPreviousData,
  })
  const here = `/p/${projectId}/site${level === undefined ? '' : `?level=${level}`}`
  const { file } = parameters
  useEscapeTo(file === undefined ? `/p/${projectId}` : here)
  const mayDeploy = useHasPermission('deployments')
  const site = pages.data?.pages[0]
  const problems = pages.data?.pages.flatMap((page) => page.problems) ?? []
  return (
    <>
      <PageHeader
        title={t('Site')}
        about={site?.url == null ? t('The site as readers see it.') : <SiteLink url={site.url} />}
        actions={mayDeploy && <PublishButton projectId={projectId} isAtWork={site?.current != null} />}
      />
      <SplitView
        name="site"
        backHref={here}
        backLabel={t('Site')}
        list={
          <Loaded query={pages} skeleton={<Skeleton class="mx-6 my-6 h-28 rounded-md" />}>
            {({ pages: [first] }) =>
              first && (
                <PageBody>
                  <Version site={first} projectId={projectId} />
                  {first.published !== null && (
                    <Problems site={first} problems={problems} level={level} here={here}>
                      <MoreButton pages={pages} label={t('Show more')} />
                    </Problems>
                  )}
                  <Addresses projectId={projectId} />
                </PageBody>
              )
            }
          </Loaded>
        }
        detail={
          file === undefined ? null : (
            <SourcePanel
              projectId={projectId}
              query={toSourceQuery(file, parameters.line, toDeploymentParams(site?.published?.deploymentId))}
              backHref={here}
            >
              {problems
                .filter(
                  (problem) =>
                    problem.file === file && (problem.line ?? 0) === (Number(parameters.line) || 0),
                )
                .map((problem) => (
                  <ProblemNotice key={`${problem.code}${problem.message}`} problem={problem} />
                ))}
            </SourcePanel>
          )
        }
      />
    </>
  )
}

interface ProblemsProps {
  site: PublishedSite
  problems: readonly SiteProblem[]
  level: Level | undefined
  here: string
  children: ComponentChildren
}

function Problems({ site, problems, level, here, children }: ProblemsProps) {
  const projectId = useProjectId()
  const [parameters, change] = useQueryParameters()
  const show = (next: Level | undefined) =>
    change({ level: next, file: undefined, line: undefined }, { replace: true })
  return (
    <Section
      title={t('Content problems')}
      about={formatPageCounts(site)}
      actions={
        site.published?.problemCount !== 0 && <LevelFilter site={site} level={level} onChange={show} />
      }
    >
      {problems.length === 0 ? (
        <NoProblems>{level === undefined ? t('None found.') : t('No problems at this level.')}</NoProblems>
      ) : (
        <ProblemGroups
          problems={problems}
          projectId={projectId}
          parameters={parameters}
          here={here}
          version={toDeploymentParams(site.published?.deploymentId)}
        />
      )}
      {children}
    </Section>
  )
}

function toDeploymentParams(deploymentId: string | undefined) {
  return deploymentId === undefined ? {} : { deploymentId }
}

function ProblemNotice({ problem: { code, message, remedy, level } }: { problem: SiteProblem }) {
  const translation = translateFinding({ code, sentence: message, remedy })
  return (
    <Notice tone={level === 'error' ? 'danger' : 'warning'} title={translation?.meaning ?? message}>
      {translation?.remedy ?? remedy}
      <OriginalMessage text={translation?.original ?? null} />
    </Notice>
  )
}

function SiteLink({ url }: { url: string }) {
  return (
    <Link look="quiet" href={url} target="_blank" class="inline-flex max-w-full items-center gap-1">
      <span class="min-w-0 truncate">{url.replace(/^https?:\/\//, '').replace(/\/$/, '')}</span>
      <Icon name="arrow-up-right" size={14} class="shrink-0" />
    </Link>
  )
}

interface LevelFilterProps {
  site: PublishedSite
  level: Level | undefined
  onChange: (level: Level | undefined) => void
}

function LevelFilter({ site, level, onChange }: LevelFilterProps) {
  const { problemCounts } = site
  const found = (['error', 'warning', 'hint'] as const).filter(
    (one) => problemCounts[one] > 0 || one === level,
  )
  return (
    <SegmentedControl<Level | 'all'>
      label={t('Show')}
      value={level ?? 'all'}
      onChange={(next) => onChange(next === 'all' ? undefined : next)}
      choices={[
        { value: 'all', label: t('All', { context: 'problems' }) },
        ...found.map((one) => ({
          value: one,
          label: `${LEVEL_NAMES[one]} ${formatCount(problemCounts[one])}`,
        })),
      ]}
    />
  )
}

function formatPageCounts({ published, problemCounts }: PublishedSite): string {
  if (published === null || published.problemCount === 0) return ''
  return problemCounts.error === 0
    ? t('No errors that prevent a page from being shown.')
    : plural(
        problemCounts.error,
        '{count} page or link that is broken for readers.',
        '{count} pages or links that are broken for readers.',
      )
}

function describeAddressState(publishedAt: string | null, state: 'pending' | 'served') {
  if (state === 'pending') return { tone: 'warning', label: t('Not served yet') } as const
  return publishedAt === null
    ? ({ tone: 'neutral', label: t('Nothing published') } as const)
    : ({ tone: 'success', label: t('Published') } as const)
}

function Addresses({ projectId }: { projectId: string }) {
  const { data: project } = useQuery(internalQuery('getProject', { params: { projectId } }))
  const mayChange = useHasPermission('projects')
  if (project === undefined) return null
  const main = project.domainStates.find(({ state }) => state === 'served')?.domain
  return (
    <Section
      title={t('URLs')}
      actions={
        mayChange && (
          <ButtonLink size="small" look="quiet" icon="settings-2" href={`/p/${projectId}/settings/domains`}>
            {t('Domains')}
          </ButtonLink>
        )
      }
    >
      <ul class="divide-y divide-line border-y border-line text-13">
        {project.domainStates.map(({ domain, state }, index) => (
          <li key={domain} class="flex min-h-(--row) items-center gap-3">
            <StatusDot {...describeAddressState(project.publishedAt, state)} isShown={false} />
            <span class="min-w-0 flex-1 truncate">
              {domain === main && project.url !== null ? <SiteLink url={project.url} /> : domain}
            </span>
            {state === 'pending' && <span class="text-12 text-warning">{t('waiting for verification')}</span>}
            {index === 0 && <span class="text-12 text-faint">{t('main URL')}</span>}
          </li>
        ))}
      </ul>
    </Section>
  )
}
