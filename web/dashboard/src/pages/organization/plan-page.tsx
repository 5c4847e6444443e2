import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { NAME_CHARACTERS } from '../../../../../src/base/api/form-limits.ts'
import {
  type Capability,
  PLAN_CAPABILITIES,
  PLANS,
  type Plan as PlanName,
} from '../../../../../src/base/api/plans.ts'
import type {
  LimitUse,
  OrganizationDetail,
} from '../../../../../src/features/accounts/operations/organization.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { useCommands } from '../../app/commands.ts'
import { projectsQuery } from '../../app/current-project.ts'
import type { Preload } from '../../app/pages.tsx'
import { queryClient } from '../../app/query-client.ts'
import { reloadSession, useHasPermission } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { UnsavedGuard } from '../../app/unsaved.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { RadioGroup } from '../../ui/choice.tsx'
import { classes } from '../../ui/classes.ts'
import { CopyId } from '../../ui/copy.tsx'
import { Form } from '../../ui/form.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { PageBody, PageHeader, Section } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { ErrorState, SkeletonRows } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { formatDuration } from '../../ui/time.tsx'
import { plural, t } from '../../words/words.ts'
import { ArchivedProjects } from './archived-projects.tsx'
import { DeletedProjects } from './deleted-projects.tsx'
import { OfferedProjects } from './offered-projects.tsx'
import { StorageSection } from './storage-section.tsx'

export const preload: Preload = () => void queryClient.prefetchQuery(internalQuery('getOrganization'))

/** Polling interval for usage while the page is open. */
const POLL_INTERVAL_MS = 15_000

/** Maximum idle projects that are listed individually. */
const MAX_LISTED_PROJECTS = 3

const PLAN_NAMES: Record<PlanName, string> = {
  free: t('Free', { context: 'plan' }),
  pro: t('Pro', { context: 'plan' }),
  enterprise: t('Enterprise', { context: 'plan' }),
}
const CAPABILITY_LABELS: Record<Capability, string> = {
  static_export: t('Static export: the site as an archive for any web server'),
}
const CAPABILITIES = Object.keys(CAPABILITY_LABELS) as Capability[]

/** Included in every plan; the limits below are set by the operator and apply to all plans. */
const EVERYWHERE = [
  t('Hosted sites, domains, search and the assistant'),
  t('Feedback, insights and agent jobs'),
  t('Members, roles, API keys, webhooks and the audit log'),
]

const PLAN_CHOICES = PLANS.map((value) => ({ value, label: PLAN_NAMES[value], about: describePlan(value) }))

function describePlan(plan: PlanName): string {
  const missing = CAPABILITIES.filter((capability) => !PLAN_CAPABILITIES[plan][capability])
  return missing.length === 0 ? t('Everything, static export included.') : t('Everything but static export.')
}

export function PlanPage() {
  const { data, error, refetch } = useQuery({
    ...internalQuery('getOrganization'),
    refetchInterval: POLL_INTERVAL_MS,
  })
  const mayChange = useHasPermission('organization')
  const mayTake = useHasPermission('transfers')
  return (
    <>
      <PageHeader
        title={t('Plan and limits')}
        about={data?.name ?? ''}
        actions={data && <CopyId id={data.id} label={t("Copy the organization's id")} />}
      />
      <PageBody isForm>
        {error !== null && <ErrorState error={error} onRetry={refetch} />}
        {data === undefined && error === null && <SkeletonRows />}
        {data && <Plan organization={data} mayChange={mayChange} />}
        {data && <Limits limits={data.limits} />}
        {data && <StorageSection storage={data.storage} mayChange={mayChange} />}
        {data && mayTake && <OfferedProjects />}
        {data && <ArchivedProjects />}
        {data && <DeletedProjects />}
        {data && mayChange && <NameForm organization={data} />}
      </PageBody>
    </>
  )
}

function Plan({ organization, mayChange }: { organization: OrganizationDetail; mayChange: boolean }) {
  const [isChanging, setChanging] = useState(false)
  useCommands(
    mayChange
      ? [{ id: 'plan', label: t('Change the plan'), icon: 'credit-card', run: () => setChanging(true) }]
      : [],
  )
  return (
    <Section
      title={t('Plan')}
      actions={mayChange && <Button onClick={() => setChanging(true)}>{t('Change the plan')}</Button>}
    >
      <Card class="flex flex-wrap items-center gap-x-8 gap-y-3 p-4">
        <div class="min-w-0 flex-1">
          <p class="text-20 font-semibold tracking-tight">{PLAN_NAMES[organization.plan]}</p>
          <p class="text-13 text-soft">{describePlan(organization.plan)}</p>
        </div>
        <dl class="flex gap-8 text-13">
          <div>
            <dt class="text-soft">{t('Projects')}</dt>
            <dd class="text-16 font-medium tabular-nums">{formatCount(organization.projectCount)}</dd>
          </div>
          <div>
            <dt class="text-soft">{t('API keys')}</dt>
            <dd class="text-16 font-medium tabular-nums">{formatCount(organization.apiKeyCount)}</dd>
          </div>
        </dl>
      </Card>
      <PlanTable current={organization.plan} />
      {isChanging && <PlanDialog organization={organization} onClose={() => setChanging(false)} />}
    </Section>
  )
}

function PlanTable({ current }: { current: PlanName }) {
  const has = (isIn: boolean) =>
    isIn ? (
      <Icon name="check" size={14} label={t('Included')} class="inline text-success" />
    ) : (
      <span class="text-faint">
        –<span class="sr-only"> {t('not included')}</span>
      </span>
    )
  const rows = [
    ...EVERYWHERE.map((words) => ({ words, isIn: () => true })),
    ...CAPABILITIES.map((capability) => ({
      words: CAPABILITY_LABELS[capability],
      isIn: (plan: PlanName) => PLAN_CAPABILITIES[plan][capability],
    })),
  ]
  return (
    <table class="mt-4 w-full text-13" aria-label={t('What each plan has')}>
      <thead>
        <tr class="border-b border-line text-12 text-faint">
          <th scope="col" class="py-2 text-left font-medium">
            <span class="sr-only">{t('What')}</span>
          </th>
          {PLANS.map((plan) => (
            <th
              key={plan}
              scope="col"
              class={classes(
                'w-14 py-2 text-center sm:w-20 font-medium',
                plan === current && 'text-accent-11',
              )}
            >
              {PLAN_NAMES[plan]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ words, isIn }) => (
          <tr key={words} class="border-b border-line">
            <th scope="row" class="py-2 pr-4 text-left font-normal">
              {words}
            </th>
            {PLANS.map((plan) => (
              <td key={plan} class="text-center">
                {has(isIn(plan))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function PlanDialog({ organization, onClose }: { organization: OrganizationDetail; onClose: () => void }) {
  const [plan, setPlan] = useState<PlanName>(organization.plan)
  const save = async () => {
    queryClient.setQueryData(
      internalKey('getOrganization'),
      await internal('updateOrganization', { body: { plan } }),
    )
    await reloadSession()
    onClose()
  }
  return (
    <FormDialog
      title={t('Change the plan')}
      action={t('Change')}
      isOff={plan === organization.plan}
      onSubmit={save}
      onClose={onClose}
    >
      {() => (
        <>
          <RadioGroup label={t('Plan')} choices={PLAN_CHOICES} value={plan} onChange={setPlan} />
          {organization.plan === 'enterprise' && plan !== 'enterprise' && (
            <p class="mt-3 text-13 text-warning">
              {t('No more exports can be started. Existing ones stay.')}
            </p>
          )}
        </>
      )}
    </FormDialog>
  )
}

interface Used {
  used: number
  /** Duration of the limit's window. */
  duration: string
}

const LIMIT_LABELS: Record<LimitUse['name'], { label: string; usedOf: (limit: number, by: Used) => string }> =
  {
    analytics: {
      label: t('Analytics by API key'),
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
  // With many projects, most are unused: they are counted instead of listed.
  const isIdle = ({ projectId, used }: LimitUse) => projectId !== null && used === 0
  const idle = limits.filter(isIdle)
  const listed = idle.length > MAX_LISTED_PROJECTS ? limits.filter((limit) => !isIdle(limit)) : limits
  return (
    <Section
      title={t('Limits')}
      about={t('Each counts the calls in a sliding window. The server’s operator sets them.')}
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
              {t('none of {limit} in each', { limit: idle[0]?.limit ?? 0 })}
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
          {t('More is free in {duration}.', { duration: formatDuration(resetSeconds * 1000) })}
        </p>
      )}
    </div>
  )
}

function NameForm({ organization }: { organization: OrganizationDetail }) {
  const [name, setName] = useState(organization.name)
  const isDirty = name.trim() !== organization.name
  const save = async () => {
    if (!isDirty) return
    const changed = await internal('updateOrganization', { body: { name: name.trim() } })
    queryClient.setQueryData(internalKey('getOrganization'), changed)
    await reloadSession()
    toast({ kind: 'done', title: t('Name saved') })
  }
  return (
    <Section title={t('Name')}>
      <UnsavedGuard isDirty={isDirty} warning={t('The new name on this page will be lost.')} />
      <Form fields={['name']} onSubmit={save}>
        {({ faults, isBusy }) => (
          <>
            <TextField
              label={t('Name of the organization')}
              error={faults.name}
              required
              maxLength={NAME_CHARACTERS.organization}
              value={name}
              onText={setName}
            />
            {isDirty && (
              <Button type="submit" look="primary" isBusy={isBusy}>
                {t('Save')}
              </Button>
            )}
          </>
        )}
      </Form>
    </Section>
  )
}
