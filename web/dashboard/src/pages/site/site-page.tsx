/** The published site: its last version, what is wrong in its content, bringing it up to date, where it is. */
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useRef } from 'preact/hooks'
import type { PublishedSite, SiteProblem } from '../../../../../src/contract/dashboard-projects.ts'
import { explain } from '../../api/errors.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { octavo } from '../../api/send.ts'
import { useQueryParameters } from '../../app/address.ts'
import { useCommands } from '../../app/commands.ts'
import { useEscapeTo } from '../../app/frame.tsx'
import { useProjectId } from '../../app/places.ts'
import { queryClient } from '../../app/query-client.ts'
import { useMayDo } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { StatusDot } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { SegmentedControl } from '../../ui/choice.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { count, counted } from '../../ui/numbers.ts'
import { PageHeader, Section } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Progress } from '../../ui/progress.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { durationOf, RelativeTime } from '../../ui/time.tsx'
import { SourcePanel } from '../source-panel.tsx'
import { useNow } from '../use-now.ts'
import { ProblemGroups } from './problem-groups.tsx'

type Level = SiteProblem['level']

const LEVEL_NAMES: Record<Level, string> = { error: 'Errors', warning: 'Warnings', hint: 'Hints' }

const LOOK_MS = 700

function siteQuery(projectId: string, level: Level | undefined) {
  const query = level === undefined ? {} : { level }
  return {
    queryKey: internalKey('getPublishedSite', { params: { projectId }, query }),
    queryFn: ({ pageParam }: { pageParam: string | null }) =>
      internal('getPublishedSite', {
        params: { projectId },
        query: { ...query, limit: 100, ...(pageParam === null ? {} : { cursor: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page: PublishedSite) => page.nextCursor,
    meta: { live: ['deployment', 'project'] as const },
  }
}

export function preload({ params }: { params: Record<string, string> }): void {
  const projectId = params.projectId ?? ''
  void queryClient.prefetchInfiniteQuery(siteQuery(projectId, undefined))
  void queryClient.prefetchQuery(internalQuery('getProject', { params: { projectId } }))
}

export function SitePage() {
  const projectId = useProjectId()
  const [parameters, change] = useQueryParameters()
  const level = (['error', 'warning', 'hint'] as const).find((one) => one === parameters.level)
  const pages = useInfiniteQuery({
    ...siteQuery(projectId, level),
    placeholderData: keepPreviousData,
    // Live news come once a second; between them a bar should move.
    refetchInterval: ({ state }) => (state.data?.pages[0]?.current == null ? false : LOOK_MS),
  })
  const { data, error, refetch } = pages
  const here = `/p/${projectId}/site${level === undefined ? '' : `?level=${level}`}`
  const isOpen = parameters.file !== undefined
  useEscapeTo(isOpen ? here : `/p/${projectId}`)
  const site = data?.pages[0]
  const problems = data?.pages.flatMap((page) => page.problems) ?? []
  const line = Number(parameters.line)
  return (
    <>
      <PageHeader
        title="Site"
        about={site?.url == null ? 'What readers see.' : <SiteLink url={site.url} />}
        actions={<Sync projectId={projectId} site={site} />}
      />
      <SplitView
        name="site"
        backHref={here}
        backLabel="Site"
        list={
          <div class="min-h-0 flex-1 overflow-y-auto">
            <div class="px-6 py-6 max-md:px-4">
              {site === undefined ? (
                error === null ? (
                  <Skeleton class="h-28 w-full rounded-md" />
                ) : (
                  <ErrorState error={error} onRetry={refetch} />
                )
              ) : (
                <>
                  <Version site={site} projectId={projectId} />
                  {site.published !== null && (
                    <Section
                      title="Problems of the content"
                      about={countWords(site)}
                      actions={
                        site.published.problemCount > 0 && (
                          <LevelFilter
                            site={site}
                            level={level}
                            onChange={(next) =>
                              change({ level: next, file: undefined, line: undefined }, { replace: true })
                            }
                          />
                        )
                      }
                    >
                      {problems.length === 0 ? (
                        <p class="flex items-center gap-2 text-13 text-soft">
                          <Icon name="circle-check" class="text-success" />
                          {level === undefined ? 'None was found.' : 'None of these.'}
                        </p>
                      ) : (
                        <ProblemGroups
                          problems={problems}
                          projectId={projectId}
                          parameters={parameters}
                          here={here}
                        />
                      )}
                      <MoreButton pages={pages} label="Show more" />
                    </Section>
                  )}
                  <Addresses projectId={projectId} />
                </>
              )}
            </div>
          </div>
        }
        detail={
          parameters.file === undefined ? null : (
            <SourcePanel
              projectId={projectId}
              query={{
                file: parameters.file,
                ...(line >= 1 ? { line } : {}),
                ...(site?.published == null ? {} : { deploymentId: site.published.deploymentId }),
              }}
              backHref={here}
            >
              {problems
                .filter((problem) => problem.file === parameters.file && (problem.line ?? 0) === (line || 0))
                .map(({ code, message, remedy, level: own }) => (
                  <Notice
                    key={`${code}${message}`}
                    tone={own === 'error' ? 'danger' : 'warning'}
                    title={message}
                  >
                    {remedy}
                  </Notice>
                ))}
            </SourcePanel>
          )
        }
      />
    </>
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

/** Brings the source up to date and publishes it; a second click while it is at work makes no second one. */
function Sync({ projectId, site }: { projectId: string; site: PublishedSite | undefined }) {
  const mayDeploy = useMayDo('deployments')
  const queries = useQueryClient()
  const key = useRef(crypto.randomUUID())
  const sync = useMutation({
    mutationFn: () => octavo.startDeployment(projectId, { idempotencyKey: key.current }),
    onSettled: () => {
      key.current = crypto.randomUUID()
      void queries.invalidateQueries({ queryKey: ['getPublishedSite'] })
    },
    onError: (error) => {
      const { title, advice } = explain(error)
      toast({ kind: 'failed', title: 'The site was not brought up to date', detail: `${title} ${advice}` })
    },
  })
  const isAtWork = site?.current != null
  useCommands([
    {
      id: 'site-sync',
      label: 'Sync the site now',
      icon: 'refresh-cw',
      isOff: !mayDeploy || isAtWork || sync.isPending,
      run: () => sync.mutate(),
    },
  ])
  if (!mayDeploy) return null
  return (
    <Button
      look="primary"
      icon="refresh-cw"
      isBusy={sync.isPending || isAtWork}
      onClick={() => sync.mutate()}
    >
      {isAtWork ? 'Syncing …' : 'Sync now'}
    </Button>
  )
}

function Version({
  site: { published, current, last },
  projectId,
}: {
  site: PublishedSite
  projectId: string
}) {
  const now = useNow(current === null ? null : 1000)
  const hasFailed = last?.status === 'failed' && current === null
  const mayChange = useMayDo('projects')
  return (
    <div class="mb-10" aria-live="polite">
      {current !== null && (
        <div class="mb-4 rounded-md border border-line px-4 py-3">
          <Progress
            label={
              current.status === 'queued'
                ? 'A sync waits for its turn'
                : current.totalPages === null
                  ? 'Reading the source'
                  : 'Rendering'
            }
            value={current.pageCount}
            total={current.totalPages}
            unit="pages"
          />
          <p class="mt-1.5 text-12 text-soft tabular-nums">
            {durationOf(Math.max(0, now - Date.parse(current.createdAt)))}
            {published !== null && '; readers see the version before until it is done'}
          </p>
        </div>
      )}
      {hasFailed && (
        <Notice
          tone="danger"
          title={published === null ? 'The first sync failed' : 'The last sync failed'}
          actions={
            mayChange && (
              <ButtonLink size="small" href={`/p/${projectId}/settings/source`}>
                Source settings
              </ButtonLink>
            )
          }
        >
          <span class="break-words">
            <PlainText text={last.error ?? ''} />
          </span>{' '}
          {published === null
            ? 'Nothing is at the address of the site yet. Correct it, and sync again.'
            : 'Readers still see the version before. Correct it, and sync again.'}
        </Notice>
      )}
      {published === null ? (
        current === null &&
        !hasFailed && (
          <EmptyState icon="globe" title="Nothing is published yet">
            <p>
              A sync reads the source, checks it and publishes it in one step; until then there is nothing at
              the address of the site. From a terminal:{' '}
              <code class="font-mono text-13">octavo projects sync</code>
            </p>
          </EmptyState>
        )
      ) : (
        <dl class="grid grid-cols-2 overflow-hidden rounded-md border border-line sm:grid-cols-4">
          <Figure label="Published">
            <RelativeTime at={published.publishedAt} />
          </Figure>
          <Figure label="Pages">{count(published.pageCount)}</Figure>
          <Figure label="Problems">{count(published.problemCount)}</Figure>
          <Figure label="Revision">
            {published.revision === null ? (
              '–'
            ) : (
              <CopyId id={published.revision} label="Copy the revision" isWhole={false} />
            )}
          </Figure>
        </dl>
      )}
    </div>
  )
}

function Figure({ label, children }: { label: string; children: preact.ComponentChildren }) {
  return (
    <div class="-mr-px -mb-px border-r border-b border-line px-4 py-3">
      <dt class="text-12 text-soft">{label}</dt>
      <dd class="mt-0.5 truncate text-16 font-semibold tracking-tight tabular-nums">{children}</dd>
    </div>
  )
}

function LevelFilter({
  site,
  level,
  onChange,
}: {
  site: PublishedSite
  level: Level | undefined
  onChange: (level: Level | undefined) => void
}) {
  const { problemCounts } = site
  const found = (['error', 'warning', 'hint'] as const).filter(
    (one) => problemCounts[one] > 0 || one === level,
  )
  return (
    <SegmentedControl<Level | 'all'>
      label="Show"
      value={level ?? 'all'}
      onChange={(next) => onChange(next === 'all' ? undefined : next)}
      choices={[
        { value: 'all', label: 'All' },
        ...found.map((one) => ({ value: one, label: `${LEVEL_NAMES[one]} ${count(problemCounts[one])}` })),
      ]}
    />
  )
}

function countWords({ published, problemCounts }: PublishedSite): string {
  if (published === null || published.problemCount === 0) return ''
  return problemCounts.error === 0
    ? 'Nothing that keeps a page from being shown.'
    : `${counted(problemCounts.error, 'page or link', 'pages or links')} that readers miss.`
}

function addressState(publishedAt: string | null, state: 'pending' | 'served') {
  if (state === 'pending') return { tone: 'warning', label: 'Not served yet' } as const
  return publishedAt === null
    ? ({ tone: 'neutral', label: 'Nothing published' } as const)
    : ({ tone: 'success', label: 'Published' } as const)
}

function Addresses({ projectId }: { projectId: string }) {
  const { data: project } = useQuery(internalQuery('getProject', { params: { projectId } }))
  const mayChange = useMayDo('projects')
  if (project === undefined) return null
  const main = project.domainStates.find(({ state }) => state === 'served')?.domain
  return (
    <Section
      title="Addresses"
      actions={
        mayChange && (
          <ButtonLink size="small" look="quiet" icon="settings-2" href={`/p/${projectId}/settings/domains`}>
            Domains
          </ButtonLink>
        )
      }
    >
      <ul class="divide-y divide-line border-y border-line text-13">
        {project.domainStates.map(({ domain, state }, index) => (
          <li key={domain} class="flex min-h-(--row) items-center gap-3">
            <StatusDot {...addressState(project.publishedAt, state)} isShown={false} />
            <span class="min-w-0 flex-1 truncate">
              {domain === main && project.url !== null ? <SiteLink url={project.url} /> : domain}
            </span>
            {state === 'pending' && <span class="text-12 text-warning">waits for its proof</span>}
            {index === 0 && <span class="text-12 text-faint">main address</span>}
          </li>
        ))}
      </ul>
    </Section>
  )
}
