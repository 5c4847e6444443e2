/** Automations of the project: the list, templates for new automations, and the detail next to the list. */

import { useQuery } from '@tanstack/react-query'
import type {
  Automation,
  CreatedAutomation,
} from '../../../../../src/features/automations/operations/automations.ts'
import { octavo } from '../../api/octavo.ts'
import { useCommands } from '../../app/commands.ts'
import { useProjectId } from '../../app/current-project.ts'
import { useEscapeTo } from '../../app/frame.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { FieldsDialog } from '../../forms/fields-form.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { StateRow } from '../state-row.tsx'
import { showAutomationUrl } from './address-dialog.tsx'
import { AutomationDetail } from './automation-detail.tsx'
import {
  type AutomationValues,
  automationFields,
  readAutomation,
  toAutomationBody,
} from './automation-form.ts'
import { describeAutomationState, describeTrigger, TEMPLATES } from './automation-labels.ts'
import { automationsQuery, refreshAutomations } from './automation-queries.ts'
import { useRepositories } from './use-repositories.tsx'

export function preload({ params }: { params: Record<string, string> }): void {
  void queryClient.prefetchQuery(automationsQuery(params.projectId ?? ''))
}

export function AutomationsPage() {
  const projectId = useProjectId()
  const [parameters, change] = useQueryParameters()
  const query = useQuery(automationsQuery(projectId))
  const mayWork = useHasPermission('agent')
  const here = `/p/${projectId}/agent/automations`
  const automations = query.data?.automations ?? []
  const chosen = automations.find(({ automationId }) => automationId === parameters.automation)
  const open = (template = '') => change({ new: template === '' ? '1' : template })
  useEscapeTo(chosen === undefined ? `/p/${projectId}/agent` : here)
  useCommands([
    {
      id: 'automation-new',
      label: t('Add an automation'),
      icon: 'zap',
      keys: 'c',
      isOff: !mayWork,
      run: () => open(),
    },
  ])
  return (
    <>
      <Header projectId={projectId} onNew={mayWork && automations.length > 0 ? () => open() : null} />
      <SplitView
        name="automations"
        backHref={here}
        backLabel={t('Automations')}
        list={
          <PageBody>
            <Loaded query={query} skeleton={<SkeletonRows count={3} />}>
              {() => (
                <List automations={automations} here={here} chosen={chosen} onNew={mayWork ? open : null} />
              )}
            </Loaded>
          </PageBody>
        }
        detail={
          chosen === undefined ? null : (
            <AutomationDetail key={chosen.automationId} automation={chosen} here={here} />
          )
        }
      />
      {parameters.new !== undefined && (
        <NewAutomation
          projectId={projectId}
          template={parameters.new}
          onClose={() => change({ new: undefined }, { replace: true })}
          onMade={(automation) => {
            change({ new: undefined, automation: automation.automationId }, { replace: true })
            if (automation.address !== null) showAutomationUrl(automation.address)
          }}
        />
      )}
    </>
  )
}

function Header({ projectId, onNew }: { projectId: string; onNew: (() => void) | null }) {
  return (
    <PageHeader
      title={t('Automations')}
      about={<p class="max-md:hidden">{t('Agent jobs that start automatically.')}</p>}
      actions={
        <>
          <ButtonLink size="small" href={`/p/${projectId}/agent`}>
            {t('Jobs')}
          </ButtonLink>
          {onNew !== null && (
            <Button size="small" icon="plus" onClick={onNew}>
              {t('Add an automation')}
            </Button>
          )}
        </>
      }
    />
  )
}

interface ListProps {
  automations: readonly Automation[]
  here: string
  chosen: Automation | undefined
  onNew: ((template: string) => void) | null
}

function List({ automations, here, chosen, onNew }: ListProps) {
  if (automations.length === 0)
    return (
      <EmptyState
        icon="zap"
        title={t('No automations yet')}
        actions={
          onNew !== null && (
            <div class="flex flex-col items-stretch gap-2">
              {TEMPLATES.map(({ title }, index) => (
                <Button key={title} onClick={() => onNew(`template-${index}`)}>
                  {title}
                </Button>
              ))}
              <Button look="primary" icon="plus" onClick={() => onNew('')}>
                {t('Start with an empty form')}
              </Button>
            </div>
          )
        }
      >
        <p>
          {t(
            'A schedule, a deployment, feedback, searches without results, broken links or a message can start an agent job. Its changes become a pull request; nothing is merged automatically.',
          )}
        </p>
      </EmptyState>
    )
  return (
    <ol class="border-t border-line" aria-label={t('Automations')}>
      {automations.map((automation) => (
        <StateRow
          key={automation.automationId}
          href={`${here}?automation=${automation.automationId}`}
          isChosen={automation === chosen}
          state={describeAutomationState(automation)}
          title={automation.name}
          about={describeTrigger(automation.trigger)}
          end={automation.lastRunAt === null ? t('no runs yet') : <RelativeTime at={automation.lastRunAt} />}
        />
      ))}
    </ol>
  )
}

interface NewAutomationProps {
  projectId: string
  template: string
  onClose: () => void
  onMade: (automation: CreatedAutomation) => void
}

/** Creates an automation. Not cached, because the response may contain a secret URL. */
function NewAutomation({ projectId, template, onClose, onMade }: NewAutomationProps) {
  const repositories = useRepositories(projectId)
  const [, index] = template.split('template-')
  // The first repository is preselected, so the form waits for the list.
  if (repositories.isPending) return null
  return (
    <FieldsDialog<AutomationValues>
      title={t('Add an automation')}
      action={t('Add the automation')}
      width="lg"
      operation="createAutomation"
      initial={readAutomation(TEMPLATES[Number(index)]?.body ?? {}, repositories)}
      fields={(draft) => automationFields(draft, repositories, true)}
      noValidate
      onSubmit={async (values, draft) => {
        const body = toAutomationBody(values, draft['trigger/kind'])
        const automation = await octavo.call('createAutomation', { params: { projectId }, body })
        await refreshAutomations(projectId)
        onMade(automation)
      }}
      onClose={onClose}
    />
  )
}
