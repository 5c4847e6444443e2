/** Details of an automation: run, pause, edit, run history, delete. */

import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type {
  Automation,
  AutomationRun,
} from '../../../../../src/features/automations/operations/automations.ts'
import { octavo } from '../../api/octavo.ts'
import { useHasPermission } from '../../app/session.ts'
import { toast, toastFailure } from '../../app/toasts.ts'
import { UnsavedGuard } from '../../app/unsaved.tsx'
import { StatusDot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { Form, SaveOrDiscard } from '../../ui/form.tsx'
import { Link, useGo } from '../../ui/link.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Section } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'
import { AddressDialog } from './address-dialog.tsx'
import { AUTOMATION_FIELDS, toAutomationBody, toAutomationDraft } from './automation-draft.ts'
import { AutomationFields } from './automation-fields.tsx'
import {
  describeAutomationState,
  describeRunReason,
  describeRunState,
  describeTrigger,
} from './automation-labels.ts'
import { refreshAutomations, runsQuery } from './automation-queries.ts'

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
        <CopyId id={automationId} label={t('Copy the id of the automation')} />
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
        </>
      )}
    </div>
  )
}

function Actions({ automation: { projectId, automationId, paused, dryRun } }: { automation: Automation }) {
  const params = { projectId, automationId }
  const run = useMutation({
    mutationFn: () => octavo.call('runAutomation', { params }),
    onSuccess: (made) => {
      const { label } = describeRunState(made)
      const body = describeRunReason(made)
      toast({
        kind: made.state === 'skipped' ? 'info' : 'done',
        title: label,
        ...(body !== null && { detail: body }),
      })
      void refreshAutomations(projectId)
    },
    onError: (error) => toastFailure(t('It did not run'), error),
  })
  const pause = useMutation({
    mutationFn: () => octavo.call('updateAutomation', { params, body: { paused: !paused } }),
    onSuccess: () => void refreshAutomations(projectId),
    onError: (error) => toastFailure(paused ? t('It does not go on') : t('It was not paused'), error),
  })
  return (
    <div class="mt-3 flex flex-wrap gap-2">
      {!paused && (
        <Button size="small" icon="play" isBusy={run.isPending} onClick={() => run.mutate()}>
          {dryRun ? t('Run dry now') : t('Run now')}
        </Button>
      )}
      <Button
        size="small"
        icon={paused ? 'play' : 'pause'}
        isBusy={pause.isPending}
        onClick={() => pause.mutate()}
      >
        {paused ? t('Resume') : t('Pause')}
      </Button>
    </div>
  )
}

function Runs({ projectId, automationId }: { projectId: string; automationId: string }) {
  const pages = useInfiniteQuery(runsQuery(projectId, automationId))
  const runs = pages.data?.pages.flatMap((page) => page.runs) ?? []
  return (
    <>
      <Loaded query={pages} skeleton={<SkeletonRows count={2} />} isSmall>
        {() =>
          runs.length === 0 ? (
            <p class="text-13 text-soft">{t('None yet.')}</p>
          ) : (
            <ol class="border-t border-line" aria-label={t('Runs')}>
              {runs.map((run) => (
                <RunRow key={run.runId} run={run} projectId={projectId} />
              ))}
            </ol>
          )
        }
      </Loaded>
      <MoreButton pages={pages} label={t('Show older runs')} />
    </>
  )
}

function RunRow({ run, projectId }: { run: AutomationRun; projectId: string }) {
  const reason = describeRunReason(run)
  return (
    <li class="border-b border-line py-2 text-13">
      <div class="flex flex-wrap items-center gap-x-3">
        <StatusDot {...describeRunState(run)} />
        <span class="min-w-0 flex-1 truncate text-soft">
          <PlainText text={run.topic} />
        </span>
        <span class="text-12 text-soft">
          <RelativeTime at={run.createdAt} />
        </span>
      </div>
      {reason !== null && <p class="text-12 text-soft">{reason}</p>}
      {run.jobId !== null && <Link href={`/p/${projectId}/agent/${run.jobId}`}>{t('The job')}</Link>}
      <details class="mt-1">
        <summary class="cursor-pointer text-12 text-soft">{t('What was asked')}</summary>
        <div class="mt-1 max-h-60 overflow-auto rounded-md border border-line p-2 text-12 break-words whitespace-pre-wrap">
          <PlainText text={run.asked} />
        </div>
      </details>
    </li>
  )
}

function Settings({ automation }: { automation: Automation }) {
  const { projectId, automationId } = automation
  const first = toAutomationDraft(automation)
  const [draft, setDraft] = useState(first)
  const isDirty = JSON.stringify(draft) !== JSON.stringify(first)
  const save = async () => {
    const body = toAutomationBody(draft)
    await octavo.call('updateAutomation', { params: { projectId, automationId }, body })
    await refreshAutomations(projectId)
    toast({ kind: 'done', title: t('Saved') })
  }
  return (
    <Form noValidate fields={AUTOMATION_FIELDS} onSubmit={save}>
      {({ faults, isBusy }) => (
        <>
          <UnsavedGuard isDirty={isDirty} />
          <AutomationFields
            isNew={false}
            draft={draft}
            change={(part) => setDraft((before) => ({ ...before, ...part }))}
            faults={faults}
          />
          <div class="mt-4">
            <SaveOrDiscard isDirty={isDirty} isBusy={isBusy} onDiscard={() => setDraft(first)} />
          </div>
        </>
      )}
    </Form>
  )
}

function Address({ automation: { projectId, automationId } }: { automation: Automation }) {
  const [address, setAddress] = useState<string | null>(null)
  const renew = useMutation({
    mutationFn: () => octavo.call('renewAutomationAddress', { params: { projectId, automationId } }),
    onSuccess: (made) => setAddress(made.address),
    onError: (error) => toastFailure(t('It has no other address'), error),
  })
  return (
    <Section title={t('Address')} about={t('The one before takes no more messages from then on.')}>
      <Button icon="rotate-ccw" isBusy={renew.isPending} onClick={() => renew.mutate()}>
        {t('Give it another address')}
      </Button>
      {address !== null && <AddressDialog address={address} onClose={() => setAddress(null)} />}
    </Section>
  )
}

function Deletion({ automation: { projectId, automationId, name }, here }: Shown) {
  const [asks, setAsks] = useState(false)
  const go = useGo()
  return (
    <Section title={t('Delete')} about={t('Its runs go; its jobs and their pull requests stay.')}>
      <Button icon="trash-2" onClick={() => setAsks(true)}>
        {t('Delete the automation …')}
      </Button>
      {asks && (
        <ConfirmDialog
          title={t('Delete this automation?')}
          action={t('Delete the automation')}
          onClose={() => setAsks(false)}
          onConfirm={async () => {
            await octavo.call('deleteAutomation', { params: { projectId, automationId } })
            await go(here, { replace: true })
            toast({ kind: 'done', title: t('The automation is deleted') })
            void refreshAutomations(projectId)
          }}
        >
          <p class="break-words">
            {rich('{name} begins no more jobs.', { name: <PlainText text={name} /> })}
          </p>
        </ConfirmDialog>
      )}
    </Section>
  )
}
