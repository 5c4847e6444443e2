/** Form fields of an automation, for creating and editing. */

import { AUTOMATION_KINDS, type AutomationKind, WEEKDAYS } from '../../../../../src/base/api/form-choices.ts'
import { AGENT_CAP_RANGES } from '../../../../../src/features/agent/operations/agent-caps.ts'
import { Field, FieldSet } from '../../ui/field.tsx'
import { Select } from '../../ui/input.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextareaField, TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'
import { CAPS, type Draft, type FieldGroupProps } from './automation-draft.ts'
import { AUTOMATION_KIND_LABELS, weekdayName } from './automation-labels.ts'
import { CodePushFields, PagesField } from './code-push-fields.tsx'

const CAP_LABELS = { steps: t('Steps'), tokens: t('Tokens'), minutes: t('Minutes') } as const
const PULL_REQUEST_EVENT_OPTIONS = [
  { value: 'merged', label: t('It was merged') },
  { value: 'opened', label: t('It was opened') },
]
const INTERVAL_OPTIONS = [
  { value: 'hour', label: t('Hour', { context: 'schedule' }) },
  { value: 'day', label: t('Day', { context: 'schedule' }) },
  { value: 'week', label: t('Week', { context: 'schedule' }) },
  { value: 'cron', label: t('Cron expression') },
]
const DAYS = WEEKDAYS.map((day) => ({ value: day, label: weekdayName(day) }))

export function AutomationFields({ draft, change, faults, isNew }: FieldGroupProps & { isNew: boolean }) {
  return (
    <>
      <TextField
        label={t('Name')}
        autoFocus
        error={faults.name}
        maxLength={120}
        value={draft.name}
        onText={(name) => change({ name })}
      />
      {isNew && (
        <Field label={t('What begins it')}>
          {(field) => (
            <Select
              {...field}
              value={draft.kind}
              options={AUTOMATION_KINDS.map((kind) => ({ value: kind, label: AUTOMATION_KIND_LABELS[kind] }))}
              onChange={(kind) => change({ kind: kind as AutomationKind })}
            />
          )}
        </Field>
      )}
      <TriggerFields draft={draft} change={change} faults={faults} />
      <TextareaField
        label={t('What each job is asked to do')}
        hint={t('What began the run is told beside it.')}
        error={faults.prompt}
        rows={4}
        maxLength={10_000}
        value={draft.prompt}
        onText={(prompt) => change({ prompt })}
      />
      <BoundFields draft={draft} change={change} faults={faults} />
    </>
  )
}

function TriggerFields({ draft, change, faults }: FieldGroupProps) {
  const { kind } = draft
  if (kind === 'schedule') return <ScheduleFields draft={draft} change={change} faults={faults} />
  if (kind === 'comment') return <CommentFields draft={draft} change={change} faults={faults} />
  if (kind === 'pull_request') return <PullRequestFields draft={draft} change={change} faults={faults} />
  if (kind === 'code_push') return <CodePushFields draft={draft} change={change} faults={faults} />
  const hasCount = kind === 'feedback' || kind === 'search'
  return (
    <>
      {hasCount && (
        <TextField
          label={
            kind === 'feedback' ? t('Pending entries on one page') : t('Searches in 7 days without a result')
          }
          error={faults.trigger}
          type="number"
          min={1}
          max={kind === 'feedback' ? 50 : 10_000}
          value={draft.count}
          onText={(count) => change({ count })}
        />
      )}
      {(kind === 'push' || kind === 'feedback') && (
        <PagesField draft={draft} change={change} faults={faults} />
      )}
    </>
  )
}

function CommentFields({ draft, change, faults }: FieldGroupProps) {
  return (
    <>
      <TextField
        label={t('Mention')}
        hint={t(
          'The word that starts a job, in a comment on an issue or pull request. The webhook for pushes must send comments too.',
        )}
        error={faults['trigger/mention']}
        maxLength={51}
        value={draft.mention}
        onText={(mention) => change({ mention })}
      />
      <TextareaField
        label={t('Who may use it')}
        hint={t('User names at the forge, one per line. Everyone else’s comments start nothing.')}
        error={faults.trigger}
        rows={2}
        value={draft.people}
        onText={(people) => change({ people })}
      />
    </>
  )
}

function PullRequestFields({ draft, change, faults }: FieldGroupProps) {
  return (
    <>
      <TextField
        label={t('Repository')}
        hint={t(
          'As the forge names it, such as acme/api. It needs a webhook for pull requests, with the same address and secret as the one for pushes.',
        )}
        error={faults['trigger/repository'] ?? faults.trigger}
        maxLength={200}
        value={draft.repository}
        onText={(repository) => change({ repository })}
      />
      <Field label={t('When')}>
        {(field) => (
          <Select
            {...field}
            value={draft.when}
            options={PULL_REQUEST_EVENT_OPTIONS}
            onChange={(when) => change({ when: when as Draft['when'] })}
          />
        )}
      </Field>
    </>
  )
}

function ScheduleFields({ draft, change, faults }: FieldGroupProps) {
  return (
    <div class="mb-5 grid gap-x-3 sm:grid-cols-2">
      <Field label={t('Each', { context: 'schedule' })}>
        {(field) => (
          <Select
            {...field}
            value={draft.every}
            options={INTERVAL_OPTIONS}
            onChange={(every) => change({ every: every as Draft['every'] })}
          />
        )}
      </Field>
      {draft.every === 'week' && (
        <Field label={t('On', { context: 'weekday' })}>
          {(field) => (
            <Select
              {...field}
              value={draft.weekday}
              options={DAYS}
              onChange={(weekday) => change({ weekday: weekday as Draft['weekday'] })}
            />
          )}
        </Field>
      )}
      {draft.every === 'cron' ? (
        <TextField
          label={t('Cron expression')}
          hint={t('Minute, hour, day of the month, month and weekday.')}
          autocomplete="off"
          error={faults.trigger}
          isMono
          value={draft.cron}
          placeholder="0 9 * * 1-5"
          onText={(cron) => change({ cron })}
        />
      ) : (
        <TextField
          label={t('At', { context: 'time of day' })}
          hint={draft.every === 'hour' ? t('The minute counts.') : undefined}
          type="time"
          value={draft.time}
          onText={(time) => change({ time })}
        />
      )}
      <TextField
        label={t('Time zone')}
        error={draft.every === 'cron' ? undefined : faults.trigger}
        value={draft.timeZone}
        onText={(timeZone) => change({ timeZone })}
      />
    </div>
  )
}

function BoundFields({ draft, change, faults }: FieldGroupProps) {
  return (
    <>
      <TextareaField
        label={t('Files that its jobs may change')}
        isOptional
        hint={t(
          'Below the docs folder, one pattern a line, such as de/** or docs.json. None: all that the agent may change.',
        )}
        error={faults.scope}
        rows={2}
        value={draft.scope}
        onText={(scope) => change({ scope })}
      />
      <TextField
        label={t('Runs a day')}
        isOptional
        hint={t('At most 500. Readers decide how often feedback and searches come.')}
        error={faults.budget}
        type="number"
        min={1}
        max={500}
        value={draft.runsPerDay}
        placeholder="500"
        onText={(runsPerDay) => change({ runsPerDay })}
      />
      <CapFields draft={draft} change={change} faults={faults} />
      <TextField
        label={t('Model')}
        isOptional
        hint={t('As provider:name. Empty: the project’s.')}
        error={faults.model}
        isMono
        maxLength={200}
        value={draft.model}
        onText={(model) => change({ model })}
      />
      <Switch
        label={t('Dry run')}
        about={t('Runs are written down with what a job would be asked; none begins.')}
        isOn={draft.dryRun}
        onChange={(dryRun) => change({ dryRun })}
      />
    </>
  )
}

function CapFields({ draft, change, faults }: FieldGroupProps) {
  return (
    <FieldSet
      label={t('Limits of one turn of a job')}
      hint={t('When a turn reaches one, what it has changed is published as a draft. Empty: the project’s.')}
    >
      <div class="grid gap-x-3 sm:grid-cols-3">
        {CAPS.map((name) => (
          <TextField
            key={name}
            label={CAP_LABELS[name]}
            error={faults[`budget/${name}`]}
            type="number"
            min={AGENT_CAP_RANGES[name][0]}
            max={AGENT_CAP_RANGES[name][1]}
            value={draft.caps[name]}
            onText={(text) => change({ caps: { ...draft.caps, [name]: text } })}
          />
        ))}
      </div>
    </FieldSet>
  )
}
