/** Details of an automation: run, pause, edit, run history, delete. */

import { useInfiniteQuery } from '@tanstack/react-query'
import type {
  Automation,
  AutomationRun,
} from '../../../../../src/features/automations/operations/automations.ts'
import { octavo } from '../../api/octavo.ts'
import { ActionButton } from '../../app/action.tsx'
import { useHasPermission } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { SaveBar } from '../../forms/save-bar.tsx'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { StatusDot } from '../../ui/badge.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { useGo } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'
import { WorkList, type WorkRow } from '../background-jobs/work-list.tsx'
import { showAutomationUrl } from './address-dialog.tsx'
import {
  type AutomationValues,
  automationFields,
  readAutomation,
  toAutomationBody,
} from './automation-form.ts'
import {
  describeAutomationState,
  describeRunReason,
  describeRunState,
  describeTrigger,
} from './automation-labels.ts'
import { refreshAutomations, runsQuery } from './automation-queries.ts'
import { useRepositories } from './use-repositories.tsx'

interface Shown {
  automation: Automation
  here: string
}

export function AutomationDetail({ automation, here }: Shown) {
  const { projectId, automationId, name, trigger, nextRunAt } = automation
  const mayWork = useHasPermission('agent')
  return (
    <div class="min-h-0 flex-1 overflow-y-auto px-6 py-5 max-md:px-4">
      <div class="mb-6">
        <h2 class="line-clamp-3 font-medium break-words" title={name}>
          <PlainText text={name} />
        </h2>
        <p class="mt-1 flex flex-wrap items-center gap-x-3 text-13 text-soft">
          <StatusDot {...describeAutomationState(automation)} />
          <span>
            <PlainText text={describeTrigger(trigger)} />
          </span>
          {nextRunAt !== null && (
            <span>{rich('next {date}', { date: <RelativeTime at={nextRunAt} /> })}</span>
          )}
        </p>
        <CopyId id={automationId} label={t('Copy the automation ID')} />
        {mayWork && <Actions automation={automation} />}
      </div>
      <Section title={t('Runs')}>
        <Runs projectId={projectId} automationId={automationId} />
      </Section>
      {mayWork && (
        <>
          <Section title={t('Settings')}>
            <Settings automation={automation} />
          </Section>
          {trigger.kind === 'webhook' && <Address automation={automation} />}
          <Deletion automation={automation} here={here} />
          <SaveBar />
        </>
      )}
    </div>
  )
}

function Actions({ automation: { projectId, automationId, paused, dryRun } }: { automation: Automation }) {
  const params = { projectId, automationId }
  const refresh = () => refreshAutomations(projectId)
  return (
    <div class="mt-3 flex flex-wrap gap-2">
      {!paused && (
        <ActionButton
          icon="play"
          run={() => octavo.call('runAutomation', { params })}
          done={(made) => {
            const detail = describeRunReason(made)
            toast({
              kind: made.state === 'skipped' ? 'info' : 'done',
              title: describeRunState(made).label,
              ...(detail !== null && { detail }),
            })
            void refresh()
          }}
          failed={t('The automation did not run')}
        >
          {dryRun ? t('Dry run now') : t('Run now')}
        </ActionButton>
      )}
      <ActionButton
        icon={paused ? 'play' : 'pause'}
        run={() => octavo.call('updateAutomation', { params, body: { paused: !paused } })}
        done={refresh}
        failed={paused ? t('The automation was not resumed') : t('The automation was not paused')}
      >
        {paused ? t('Resume') : t('Pause')}
      </ActionButton>
    </div>
  )
}

function Runs({ projectId, automationId }: { projectId: string; automationId: string }) {
  const pages = useInfiniteQuery(runsQuery(projectId, automationId))
  const runs = pages.data?.pages.flatMap((page) => page.runs) ?? []
  return (
    <WorkList
      label={t('Runs')}
      pages={pages}
      rows={runs.map((run) => toRow(projectId, run))}
      isSmall
      moreLabel={t('Show older runs')}
      empty={<p class="text-13 text-soft">{t('None yet.')}</p>}
    />
  )
}

function toRow(projectId: string, run: AutomationRun): WorkRow {
  const reason = describeRunReason(run)
  return {
    id: run.runId,
    href: run.jobId === null ? null : `/p/${projectId}/agent/${run.jobId}`,
    state: describeRunState(run),
    title: run.topic,
    cells: [],
    at: run.createdAt,
    details: (
      <>
        {reason !== null && <p class="text-12 text-soft">{reason}</p>}
        <details>
          <summary class="cursor-pointer text-12 text-soft">{t('Prompt')}</summary>
          <div class="mt-1 max-h-60 overflow-auto rounded-md border border-line p-2 text-12 break-words whitespace-pre-wrap">
            <PlainText text={run.asked} />
          </div>
        </details>
      </>
    ),
  }
}

function Settings({ automation }: { automation: Automation }) {
  const { projectId, automationId, trigger } = automation
  const repositories = useRepositories(projectId)
  return (
    <SettingsForm<Automation, AutomationValues>
      operation="createAutomation"
      stored={automation}
      read={(stored) => readAutomation(stored, repositories)}
      fields={(draft) => automationFields({ ...draft, 'trigger/kind': trigger.kind }, repositories, false)}
      save={async (_, { body }) => {
        const params = { projectId, automationId }
        const changed = toAutomationBody(body, trigger.kind)
        const saved = await octavo.call('updateAutomation', { params, body: changed })
        void refreshAutomations(projectId)
        return saved
      }}
    />
  )
}

function Address({ automation: { projectId, automationId } }: { automation: Automation }) {
  return (
    <Section title={t('Address')} about={t('The previous URL stops accepting messages.')}>
      <ActionButton
        size="medium"
        icon="rotate-ccw"
        run={() => octavo.call('renewAutomationAddress', { params: { projectId, automationId } })}
        done={({ address }) => showAutomationUrl(address)}
        failed={t('The URL was not changed')}
      >
        {t('Change the URL')}
      </ActionButton>
    </Section>
  )
}

function Deletion({ automation: { projectId, automationId, name }, here }: Shown) {
  const go = useGo()
  return (
    <Section title={t('Delete')} about={t('Its runs are deleted. Its jobs and their pull requests stay.')}>
      <ActionButton
        size="medium"
        icon="trash-2"
        confirm={{
          title: t('Delete this automation?'),
          action: t('Delete the automation'),
          text: rich('{name} starts no more jobs.', { name: <PlainText text={name} /> }),
        }}
        run={() => octavo.call('deleteAutomation', { params: { projectId, automationId } })}
        done={async () => {
          await go(here, { replace: true })
          toast({ kind: 'done', title: t('The automation is deleted') })
          void refreshAutomations(projectId)
        }}
      >
        {t('Delete the automation …')}
      </ActionButton>
    </Section>
  )
}
