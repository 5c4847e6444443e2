import { useQuery } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import {
  MAX_PREVIEWS_BY_PLAN,
  PLAN_CAPABILITIES,
  PLANS,
  type Plan,
} from '../../../../../src/base/api/plans.ts'
import type {
  LimitUse,
  OrganizationDetail,
  UpdateOrganizationBody,
} from '../../../../../src/features/accounts/operations/organization.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { useCommands } from '../../app/commands.ts'
import { projectsQuery } from '../../app/current-project.ts'
import { openDialog } from '../../app/dialogs.tsx'
import type { Preload } from '../../app/pages.tsx'
import { queryClient } from '../../app/query-client.ts'
import { reloadSession, useHasPermission } from '../../app/session.ts'
import { FieldsDialog } from '../../forms/fields-form.tsx'
import { SaveBar } from '../../forms/save-bar.tsx'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { PageBody, PageHeader, Section } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { formatDuration } from '../../ui/time.tsx'
import { plural, t } from '../../words/words.ts'
import { ArchivedProjects, DeletedProjects, OfferedProjects } from './other-projects.tsx'
import { StorageSection } from './storage-section.tsx'

export const preload: Preload = () => void queryClient.prefetchQuery(internalQuery('getOrganization'))

const POLL_INTERVAL_MS = 15_000

const MAX_LISTED_PROJECTS = 3

const PLAN_NAMES: Record<Plan, string> = {
  free: t('Free', { context: 'plan' }),
  pro: t('Pro', { context: 'plan' }),
  enterprise: t('Enterprise', { context: 'plan' }),
}

/** Features and limits of each plan, from `plans.ts`. The operator's own limits apply in addition to every plan. */
const PLAN_ROWS: readonly { label: string; valueIn: (plan: Plan) => boolean | number }[] = [
  { label: t('Hosted sites, domains, search and the assistant'), valueIn: () => true },
  { label: t('Feedback, insights and agent jobs'), valueIn: () => true },
  { label: t('Members, roles, API keys, webhooks and the audit log'), valueIn: () => true },
  {
    label: t('Open previews of branches and pull requests, per project'),
    valueIn: (plan) => MAX_PREVIEWS_BY_PLAN[plan],
  },
  {
    label: t('Static export: the site as an archive for any web server'),
    valueIn: (plan) => PLAN_CAPABILITIES[plan].static_export,
  },
]

function describePlan(plan: Plan): string {
  const previews = MAX_PREVIEWS_BY_PLAN[plan]
  return [
    previews === 0
      ? t('No previews')
      : plural(previews, '{count} preview per project', '{count} previews per project'),
    PLAN_CAPABILITIES[plan].static_export ? t('static export') : t('no static export'),
  ].join(', ')
}

async function updateOrganization(body: UpdateOrganizationBody): Promise<OrganizationDetail> {
  const changed = await internal('updateOrganization', { body })
  queryClient.setQueryData(internalKey('getOrganization'), changed)
  await reloadSession()
  return changed
}

export function PlanPage() {
  const query = useQuery({ ...internalQuery('getOrganization'), refetchInterval: POLL_INTERVAL_MS })
  const mayChange = useHasPermission('organization')
  const mayTake = useHasPermission('transfers')
  const id = query.data?.id
  return (
    <>
      <PageHeader
        title={t('Plan and limits')}
        about={query.data?.name ?? ''}
        actions={id && <CopyId id={id} label={t('Copy the organization ID')} />}
      />
      <PageBody isForm>
        <Loaded query={query} skeleton={<SkeletonRows />}>
          {(organization) => (
            <>
              <PlanSection organization={organization} mayChange={mayChange} />
              <Limits limits={organization.limits} />
              <StorageSection organization={organization} isOff={!mayChange} save={updateOrganization} />
              {mayTake && <OfferedProjects />}
              <ArchivedProjects />
              <DeletedProjects />
              {mayChange && (
                <Section title={t('Name')}>
                  <SettingsForm<OrganizationDetail, UpdateOrganizationBody>
                    operation="updateOrganization"
                    stored={organization}
                    fields={() => [{ name: 'name', label: t('Name of the organization') }]}
                    save={updateOrganization}
                  />
                </Section>
              )}
            </>
          )}
        </Loaded>
        <SaveBar />
      </PageBody>
    </>
  )
}

function PlanSection({ organization, mayChange }: { organization: OrganizationDetail; mayChange: boolean }) {
  const { plan, projectCount, apiKeyCount } = organization
  const change = () => changePlan(plan)
  useCommands([
    { id: 'plan', label: t('Change the plan'), icon: 'credit-card', isOff: !mayChange, run: change },
  ])
  return (
    <Section
      title={t('Plan')}
      actions={mayChange && <Button onClick={change}>{t('Change the plan')}</Button>}
    >
      <Card class="flex flex-wrap items-center gap-x-8 gap-y-3 p-4">
        <div class="min-w-0 flex-1">
          <p class="text-20 font-semibold tracking-tight">{PLAN_NAMES[plan]}</p>
          <p class="text-13 text-soft">{describePlan(plan)}</p>
        </div>
        <dl class="flex gap-8 text-13">
          {[[t('Projects'), projectCount] as const, [t('API keys'), apiKeyCount] as const].map(
            ([label, count]) => (
              <div key={label}>
                <dt class="text-soft">{label}</dt>
                <dd class="text-16 font-medium tabular-nums">{formatCount(count)}</dd>
              </div>
            ),
          )}
        </dl>
      </Card>
      <PlanTable current={plan} />
    </Section>
  )
}

function PlanTable({ current }: { current: Plan }) {
  return (
    <table class="mt-4 w-full text-13" aria-label={t('Plans')}>
      <thead>
        <tr class="border-b border-line text-12 text-faint">
          <th scope="col" class="py-2 text-left font-medium">
            <span class="sr-only">{t('Feature')}</span>
          </th>
          {PLANS.map((plan) => (
            <th
              key={plan}
              scope="col"
              class={`w-14 py-2 text-center font-medium sm:w-20 ${plan === current ? 'text-accent-11' : ''}`}
            >
              {PLAN_NAMES[plan]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {PLAN_ROWS.map(({ label, valueIn }) => (
          <tr key={label} class="border-b border-line">
            <th scope="row" class="py-2 pr-4 text-left font-normal">
              {label}
            </th>
            {PLANS.map((plan) => (
              <td key={plan} class="text-center tabular-nums">
                {formatPlanValue(valueIn(plan))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function formatPlanValue(value: boolean | number): ComponentChildren {
  if (value === true) return <Icon name="check" size={14} label={t('Included')} class="inline text-success" />
  if (typeof value === 'number' && value > 0) return formatCount(value)
  return (
    <span class="text-faint">
      –<span class="sr-only"> {t('not included')}</span>
    </span>
  )
}

function changePlan(current: Plan): void {
  openDialog((close) => (
    <FieldsDialog<UpdateOrganizationBody>
      title={t('Change the plan')}
      action={t('Change')}
      initial={{ plan: current }}
      isOff={({ plan }) => plan === current}
      fields={({ plan = current }) => [
        {
          name: 'plan',
          kind: 'radio',
          label: t('Plan'),
          choices: PLANS.map((value) => ({ value, label: PLAN_NAMES[value], about: describePlan(value) })),
        },
        PLANS.indexOf(plan as Plan) < PLANS.indexOf(current) && (
          <p class="mt-3 text-13 text-warning">
            {t('Exports and previews beyond the new plan cannot be started. Existing ones stay.')}
          </p>
        ),
      ]}
      onSubmit={async (body) => {
        await updateOrganization(body)
        close()
      }}
      onClose={close}
    />
  ))
}

interface Used {
  used: number
  duration: string
}

const LIMIT_LABELS: Record<LimitUse['name'], { label: string; usedOf: (limit: number, by: Used) => string }> =
  {
    analytics: {
      label: t('Analytics requests with API keys'),
      usedOf: (limit, by) =>
        plural(
          limit,
          '{used} of {count} request in {duration}',
          '{used} of {count} requests in {duration}',
          by,
        ),
    },
    agentJobs: {
      label: t('Agent jobs'),
      usedOf: (limit, by) =>
        plural(limit, '{used} of {count} job in {duration}', '{used} of {count} jobs in {duration}', by),
    },
    exportStarts: {
      label: t('Static exports'),
      usedOf: (limit, by) =>
        plural(limit, '{used} of {count} start in {duration}', '{used} of {count} starts in {duration}', by),
    },
    newKeys: {
      label: t('New API keys'),
      usedOf: (limit, by) =>
        plural(limit, '{used} of {count} key in {duration}', '{used} of {count} keys in {duration}', by),
    },
  }

function Limits({ limits }: { limits: readonly LimitUse[] }) {
  const { data } = useQuery(projectsQuery())
  const nameOf = (id: string) => data?.projects.find((project) => project.id === id)?.name ?? id
  // With many projects, unused projects are counted instead of listed.
  const isIdle = ({ projectId, used }: LimitUse) => projectId !== null && used === 0
  const idle = limits.filter(isIdle)
  const listed = idle.length > MAX_LISTED_PROJECTS ? limits.filter((limit) => !isIdle(limit)) : limits
  return (
    <Section
      title={t('Limits')}
      about={t('Each limit counts calls in a sliding window. The operator of the server sets the limits.')}
    >
      <Card>
        {listed.map((limit) => (
          <Limit
            key={`${limit.name} ${limit.projectId}`}
            limit={limit}
            project={limit.projectId === null ? null : nameOf(limit.projectId)}
          />
        ))}
        {idle.length > MAX_LISTED_PROJECTS && (
          <p class="flex flex-wrap justify-between gap-x-3 px-4 py-3 text-13">
            <span>{plural(idle.length, 'Agent jobs, {count} project', 'Agent jobs, {count} projects')}</span>
            <span class="text-soft tabular-nums">
              {t('0 of {limit} used in each', { limit: idle[0]?.limit ?? 0 })}
            </span>
          </p>
        )}
        {limits.length === 0 && <p class="px-4 py-3 text-13 text-soft">{t('No limits.')}</p>}
      </Card>
    </Section>
  )
}

function Limit({
  limit: { name, used, limit, windowSeconds, resetSeconds },
  project,
}: {
  limit: LimitUse
  project: string | null
}) {
  const { label, usedOf } = LIMIT_LABELS[name]
  return (
    <div class="border-b border-line px-4 py-3 last:border-b-0">
      <Progress
        label={project === null ? label : t('{limit}, {project}', { limit: label, project })}
        value={used}
        total={limit}
        extent={usedOf(limit, { used, duration: formatDuration(windowSeconds * 1000) })}
        tone={used >= limit ? 'danger' : used > limit * 0.8 ? 'warning' : 'accent'}
      />
      {used >= limit && (
        <p class="mt-1.5 flex items-center gap-2 text-13 text-danger">
          <Badge tone="danger">{t('Used up')}</Badge>
          {t('Resets in {duration}.', { duration: formatDuration(resetSeconds * 1000) })}
        </p>
      )}
    </div>
  )
}
