/** Checklist of a new organization, until every step is done or it is hidden. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { SAMPLE_DOMAIN } from '../../../../../src/base/api/form-choices.ts'
import type { ProjectSummary } from '../../../../../src/features/projects/operations/projects.ts'
import { internalQuery } from '../../api/internal.ts'
import { projectsQuery } from '../../app/current-project.ts'
import { useHasPermission, useMembership } from '../../app/session.ts'
import { readStored, writeStored } from '../../app/stored.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { t } from '../../words/words.ts'

interface Step {
  label: string
  about: string
  href: string
  isDone: boolean
}

export function FirstSteps({ projectId, hasFeedback }: { projectId: string; hasFeedback: boolean }) {
  const { id } = useMembership()
  const mayChange = useHasPermission('projects')
  const [isHidden, hide] = useDismissed(id)
  const projects = useQuery(projectsQuery()).data?.projects
  const isShown = mayChange && !isHidden && projects !== undefined
  const members = useQuery({ ...internalQuery('listMembers'), enabled: isShown }).data?.members
  if (!isShown || members === undefined) return null
  const sample = projects.find(isSample)
  const own = projects.find((project) => !isSample(project))
  const steps = buildSteps({ id, projectId, own, isAlone: members.length < 2, hasFeedback })
  if (steps.every(({ isDone }) => isDone)) return null
  return (
    <Card class="mb-6 px-4 py-3">
      <section aria-label={t('First steps')}>
        <div class="flex items-center justify-between gap-3">
          <h2 class="text-14 font-semibold">{t('First steps')}</h2>
          <Button look="quiet" size="small" onClick={hide}>
            {t('Hide')}
          </Button>
        </div>
        <ol class="mt-2 grid gap-x-8 gap-y-3 @xl:grid-cols-2">
          {steps.map((step) => (
            <StepRow key={step.href} {...step} />
          ))}
        </ol>
        {sample !== undefined && (
          <p class="mt-3 flex flex-wrap gap-x-4 text-13 text-soft">
            <Link href={`/p/${sample.id}`}>{t('Open the sample project')}</Link>
            <Link href={`/p/${sample.id}/settings/delete`}>{t('Remove the sample project')}</Link>
          </p>
        )}
      </section>
    </Card>
  )
}

function StepRow({ label, about, href, isDone }: Step) {
  return (
    <li class="flex gap-2.5 text-13">
      <Icon
        name={isDone ? 'circle-check' : 'circle'}
        size={16}
        class={classes('mt-0.5 shrink-0', isDone ? 'text-success' : 'text-soft')}
      />
      <div class="min-w-0">
        {isDone ? (
          <span class="text-soft">
            {label} <span class="sr-only">{t('Done')}</span>
          </span>
        ) : (
          <Link href={href}>{label}</Link>
        )}
        <p class="text-soft">{about}</p>
      </div>
    </li>
  )
}

interface BuildStepsInput {
  id: string
  projectId: string
  own: ProjectSummary | undefined
  isAlone: boolean
  hasFeedback: boolean
}

function buildSteps({ id, projectId, own, isAlone, hasFeedback }: BuildStepsInput): Step[] {
  const base = `/p/${own?.id ?? projectId}`
  return [
    {
      label: t('Connect your docs'),
      about: t('A git repository or a folder with docs.json and MDX pages.'),
      href: `/o/${id}/projects/new`,
      isDone: own !== undefined,
    },
    {
      label: t('Publish the site'),
      about: t('Each push can publish it again.'),
      href: `${base}/site`,
      isDone: own?.publishedAt != null,
    },
    {
      label: t('Invite your team'),
      about: t('Members see feedback, exports and agent jobs.'),
      href: `/o/${id}/members`,
      isDone: !isAlone,
    },
    {
      label: t('Collect feedback'),
      about: t('Choose the feedback options on pages: votes, comments and code notes.'),
      href: `${base}/settings/widgets`,
      isDone: hasFeedback,
    },
  ]
}

function isSample({ domains }: ProjectSummary): boolean {
  return domains.includes(SAMPLE_DOMAIN)
}

function useDismissed(organizationId: string): [boolean, () => void] {
  const key = `octavo:first-steps:${organizationId}`
  const [isHidden, setHidden] = useState(() => readStored(key) !== null)
  const hide = () => {
    setHidden(true)
    writeStored(key, 'hidden')
  }
  return [isHidden, hide]
}
