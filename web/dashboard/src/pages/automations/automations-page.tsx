/** Automations of the project: the list, templates for new ones, and the detail beside it. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
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
import { StatusDot } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { AddressDialog } from './address-dialog.tsx'
import { AutomationDetail } from './automation-detail.tsx'
import { AUTOMATION_FIELDS, toAutomationBody, toAutomationDraft } from './automation-draft.ts'
import { AutomationFields } from './automation-fields.tsx'
import { describeAutomationState, describeTrigger, TEMPLATES } from './automation-labels.ts'
import { automationsQuery, refreshAutomations } from './automation-queries.ts'

export function preload({ params }: { params: Record<string, string> }): void {
  void queryClient.prefetchQuery(automationsQuery(params.projectId ?? ''))
}

export function AutomationsPage() {
  const projectId = useProjectId()
  const [parameters, change] = useQueryParameters()
  const query = useQuery(automationsQuery(projectId))
  // Contains a secret that is shown once, so it is not stored anywhere else.
  const [made, setMade] = useState<CreatedAutomation | null>(null)
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
      {parameters.new !== undefined && made === null && (
        <NewAutomation
          projectId={projectId}
          template={parameters.new}
          onClose={() => change({ new: undefined }, { replace: true })}
          onMade={(automation) => {
            if (automation.address !== null) setMade(automation)
            change({ new: undefined, automation: automation.automationId }, { replace: true })
          }}
        />
      )}
      {made?.address != null && <AddressDialog address={made.address} onClose={() => setMade(null)} />}
    </>
  )
}

/** `onNew` is null when there is no create button in the header. */
function Header({ projectId, onNew }: { projectId: string; onNew: (() => void) | null }) {
  return (
    <PageHeader
      title={t('Automations')}
      about={<p class="max-md:hidden">{t('Agent jobs that begin by themselves.')}</p>}
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

/** `onNew` is null for members who may not create automations. */
function NoAutomations({ onNew }: { onNew: ((template: string) => void) | null }) {
  return (
    <EmptyState
      icon="zap"
      title={t('No automation yet')}
      actions={
        onNew !== null && (
          <div class="flex flex-col items-stretch gap-2">
            {TEMPLATES.map(({ title }, index) => (
              <Button key={title} onClick={() => onNew(`template-${index}`)}>
                {title}
              </Button>
            ))}
            <Button look="primary" icon="plus" onClick={() => onNew('')}>
              {t('Begin with an empty form')}
            </Button>
          </div>
        )
      }
    >
      <p>
        {t(
          'A schedule, a publish, feedback, searches that find nothing, broken links or a message begin an agent job. What it changes becomes a pull request; nothing is merged by itself.',
        )}
      </p>
    </EmptyState>
  )
}

function List({
  automations,
  here,
  chosen,
  onNew,
}: {
  automations: readonly Automation[]
  here: string
  chosen: Automation | undefined
  onNew: ((template: string) => void) | null
}) {
  if (automations.length === 0) return <NoAutomations onNew={onNew} />
  return (
    <ol class="border-t border-line" aria-label={t('Automations')}>
      {automations.map((automation) => (
        <Row
          key={automation.automationId}
          automation={automation}
          here={here}
          isChosen={automation === chosen}
        />
      ))}
    </ol>
  )
}

function Row({ automation, here, isChosen }: { automation: Automation; here: string; isChosen: boolean }) {
  const { automationId, name, trigger, lastRunAt } = automation
  return (
    <li class="border-b border-line">
      <Link
        look="none"
        href={`${here}?automation=${automationId}`}
        aria-current={isChosen ? 'true' : undefined}
        class={classes(
          'flex min-h-(--row) items-center gap-x-3 gap-y-0.5 -mx-2 rounded-sm px-2 py-1.5 outline-offset-[-2px] max-md:flex-wrap max-md:py-2',
          isChosen ? 'bg-selected' : 'hover:bg-hover',
        )}
      >
        <span class="shrink-0 text-13 max-md:order-1 max-md:text-12 md:w-20">
          <StatusDot {...describeAutomationState(automation)} />
        </span>
        <span class="min-w-0 flex-1 max-md:basis-full">
          <span class="block truncate font-medium">
            <PlainText text={name} />
          </span>
          <span class="block truncate text-12 text-soft">
            <PlainText text={describeTrigger(trigger)} />
          </span>
        </span>
        <span class="shrink-0 text-12 text-soft max-md:order-2">
          {lastRunAt === null ? t('no run yet') : <RelativeTime at={lastRunAt} />}
        </span>
      </Link>
    </li>
  )
}

/** Creates an automation. Not cached, because the response may contain a secret URL. */
function NewAutomation({
  projectId,
  template,
  onClose,
  onMade,
}: {
  projectId: string
  template: string
  onClose: () => void
  onMade: (automation: CreatedAutomation) => void
}) {
  const filled = TEMPLATES[Number(template.replace('template-', '0'))]
  const isFilled = template.startsWith('template-')
  const [draft, setDraft] = useState(toAutomationDraft(isFilled ? (filled?.body ?? null) : null))
  const make = async () => {
    const body = toAutomationBody(draft)
    const automation = await octavo.call('createAutomation', { params: { projectId }, body })
    await refreshAutomations(projectId)
    onMade(automation)
  }
  return (
    <FormDialog
      title={t('Add an automation')}
      action={t('Add the automation')}
      width="lg"
      fields={AUTOMATION_FIELDS}
      noValidate
      onSubmit={make}
      onClose={onClose}
    >
      {(faults) => (
        <AutomationFields
          isNew
          draft={draft}
          change={(part) => setDraft((before) => ({ ...before, ...part }))}
          faults={faults}
        />
      )}
    </FormDialog>
  )
}
