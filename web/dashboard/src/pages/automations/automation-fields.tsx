/** The fields of an automation: of a new one, and of one that is changed. */
import { AGENT_CAP_RANGES } from '../../../../../src/contract/agent-caps.ts'
import {
  AUTOMATION_KINDS,
  type AutomationKind,
  type AutomationTrigger,
  WEEKDAYS,
} from '../../../../../src/contract/automation-triggers.ts'
import type { Automation, CreateAutomationBody } from '../../../../../src/contract/automations.ts'
import { Field, FieldSet } from '../../ui/field.tsx'
import { Select } from '../../ui/input.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextareaField, TextField } from '../../ui/text-field.tsx'
import { KIND_WORDS } from './automation-words.ts'

/** Of two that fit the first counts. */
export const AUTOMATION_FIELDS = [
  ...(['name', 'trigger/mention', 'trigger', 'prompt', 'scope'] as const),
  ...(['budget/steps', 'budget/tokens', 'budget/minutes', 'budget', 'model'] as const),
]
export type AutomationFaults = Partial<Record<(typeof AUTOMATION_FIELDS)[number], string>>

/** Caps of a turn that an automation may have of its own. */
const CAPS = ['steps', 'tokens', 'minutes'] as const
const CAP_WORDS = { steps: 'Steps', tokens: 'Tokens', minutes: 'Minutes' } as const
const WHEN = [
  { value: 'merged', label: 'It was merged' },
  { value: 'opened', label: 'It was opened' },
]
const EVERY = [
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
]
const DAYS = WEEKDAYS.map((day) => ({ value: day, label: day.charAt(0).toUpperCase() + day.slice(1) }))

/** As it is typed. */
export interface Draft {
  name: string
  prompt: string
  kind: AutomationKind
  every: 'hour' | 'day' | 'week'
  time: string
  weekday: (typeof WEEKDAYS)[number]
  timeZone: string
  pages: string
  count: string
  mention: string
  people: string
  repository: string
  when: 'opened' | 'merged'
  scope: string
  runsPerDay: string
  caps: Record<(typeof CAPS)[number], string>
  model: string
  dryRun: boolean
}

export function draftOf(body: CreateAutomationBody | Automation | null): Draft {
  const trigger: AutomationTrigger = body?.trigger ?? { kind: 'broken_link' }
  const schedule = trigger.kind === 'schedule' ? trigger : null
  const { hour = 9, minute = 0 } = schedule ?? {}
  const budget = body?.budget ?? {}
  return {
    name: body?.name ?? '',
    prompt: body?.prompt ?? '',
    kind: trigger.kind,
    every: schedule?.every ?? 'day',
    time: [hour, minute].map((part) => String(part).padStart(2, '0')).join(':'),
    weekday: schedule?.weekday ?? 'monday',
    timeZone: schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    pages: 'pages' in trigger ? (trigger.pages ?? []).join('\n') : '',
    count: 'count' in trigger ? String(trigger.count) : '5',
    mention: (trigger.kind === 'comment' && trigger.mention) || '@octavo',
    people: trigger.kind === 'comment' ? trigger.people.join('\n') : '',
    repository: trigger.kind === 'pull_request' ? trigger.repository : '',
    when: (trigger.kind === 'pull_request' && trigger.when) || 'merged',
    scope: (body?.scope ?? []).join('\n'),
    runsPerDay: budget.runsPerDay?.toString() ?? '',
    caps: {
      steps: budget.steps?.toString() ?? '',
      tokens: budget.tokens?.toString() ?? '',
      minutes: budget.minutes?.toString() ?? '',
    },
    model: body?.model ?? '',
    dryRun: body?.dryRun ?? false,
  }
}

export function bodyOf(draft: Draft): CreateAutomationBody {
  const bounds = { runsPerDay: draft.runsPerDay, ...draft.caps }
  const given = Object.entries(bounds).filter(([, text]) => text.trim() !== '')
  return {
    name: draft.name.trim(),
    prompt: draft.prompt,
    trigger: triggerOf(draft),
    scope: linesOf(draft.scope),
    budget: Object.fromEntries(given.map(([name, text]) => [name, Number(text)])),
    model: draft.model.trim() || null,
    dryRun: draft.dryRun,
  }
}

function triggerOf(draft: Draft): AutomationTrigger {
  const { kind, every, time, weekday, timeZone, count } = draft
  const pages = linesOf(draft.pages)
  const named = pages.length > 0 && { pages }
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  switch (kind) {
    case 'schedule':
      return { kind, every, hour, minute, weekday, timeZone: timeZone.trim() }
    case 'push':
      return { kind, ...named }
    case 'feedback':
      return { kind, count: Number(count), ...named }
    case 'search':
      return { kind, count: Number(count) }
    case 'comment':
      return { kind, mention: draft.mention.trim(), people: linesOf(draft.people) }
    case 'pull_request':
      return { kind, repository: draft.repository.trim(), when: draft.when }
    default:
      return { kind }
  }
}

function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
}

interface Part {
  draft: Draft
  change: (part: Partial<Draft>) => void
  faults: AutomationFaults
}

export function AutomationFields({ draft, change, faults, isNew }: Part & { isNew: boolean }) {
  return (
    <>
      <TextField
        label="Name"
        error={faults.name}
        maxLength={120}
        value={draft.name}
        onText={(name) => change({ name })}
      />
      {isNew && (
        <Field label="What begins it">
          {(field) => (
            <Select
              {...field}
              value={draft.kind}
              options={AUTOMATION_KINDS.map((kind) => ({ value: kind, label: KIND_WORDS[kind] }))}
              onChange={(kind) => change({ kind: kind as AutomationKind })}
            />
          )}
        </Field>
      )}
      <TriggerFields draft={draft} change={change} faults={faults} />
      <TextareaField
        label="What each job is asked to do"
        hint="What began the run is told beside it."
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

function TriggerFields({ draft, change, faults }: Part) {
  const { kind } = draft
  if (kind === 'schedule') return <ScheduleFields draft={draft} change={change} faults={faults} />
  if (kind === 'comment') return <CommentFields draft={draft} change={change} faults={faults} />
  if (kind === 'pull_request') return <PullRequestFields draft={draft} change={change} faults={faults} />
  const hasCount = kind === 'feedback' || kind === 'search'
  return (
    <>
      {hasCount && (
        <TextField
          label={kind === 'feedback' ? 'Pending entries on one page' : 'Searches in 7 days without a result'}
          error={faults.trigger}
          type="number"
          min={1}
          max={kind === 'feedback' ? 50 : 10_000}
          value={draft.count}
          onText={(count) => change({ count })}
        />
      )}
      {(kind === 'push' || kind === 'feedback') && (
        <TextareaField
          label="Only these pages"
          isOptional
          hint="One pattern a line, such as /guides/**."
          error={hasCount ? undefined : faults.trigger}
          rows={2}
          value={draft.pages}
          onText={(pages) => change({ pages })}
        />
      )}
    </>
  )
}

function CommentFields({ draft, change, faults }: Part) {
  return (
    <>
      <TextField
        label="Mention"
        hint="The word that starts a job, in a comment on an issue or pull request. The webhook for pushes must send comments too."
        error={faults['trigger/mention']}
        maxLength={51}
        value={draft.mention}
        onText={(mention) => change({ mention })}
      />
      <TextareaField
        label="Who may use it"
        hint="User names at the forge, one per line. Everyone else’s comments start nothing."
        error={faults.trigger}
        rows={2}
        value={draft.people}
        onText={(people) => change({ people })}
      />
    </>
  )
}

function PullRequestFields({ draft, change, faults }: Part) {
  return (
    <>
      <TextField
        label="Repository"
        hint="As the forge names it, such as acme/api. It needs a webhook for pull requests, with the same address and secret as the one for pushes."
        error={faults.trigger}
        maxLength={200}
        value={draft.repository}
        onText={(repository) => change({ repository })}
      />
      <Field label="When">
        {(field) => (
          <Select
            {...field}
            value={draft.when}
            options={WHEN}
            onChange={(when) => change({ when: when as Draft['when'] })}
          />
        )}
      </Field>
    </>
  )
}

function ScheduleFields({ draft, change, faults }: Part) {
  return (
    <div class="mb-5 grid gap-x-3 sm:grid-cols-2">
      <Field label="Each">
        {(field) => (
          <Select
            {...field}
            value={draft.every}
            options={EVERY}
            onChange={(every) => change({ every: every as Draft['every'] })}
          />
        )}
      </Field>
      {draft.every === 'week' && (
        <Field label="On">
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
      <TextField
        label="At"
        hint={draft.every === 'hour' ? 'The minute counts.' : undefined}
        type="time"
        value={draft.time}
        onText={(time) => change({ time })}
      />
      <TextField
        label="Time zone"
        error={faults.trigger}
        value={draft.timeZone}
        onText={(timeZone) => change({ timeZone })}
      />
    </div>
  )
}

function BoundFields({ draft, change, faults }: Part) {
  return (
    <>
      <TextareaField
        label="Files that its jobs may change"
        isOptional
        hint="Below the docs folder, one pattern a line, such as de/** or docs.json. None: all that the agent may change."
        error={faults.scope}
        rows={2}
        value={draft.scope}
        onText={(scope) => change({ scope })}
      />
      <TextField
        label="Runs a day"
        isOptional
        hint="At most 500. Readers decide how often feedback and searches come."
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
        label="Model"
        isOptional
        hint="As provider:name. Empty: the project’s."
        error={faults.model}
        isMono
        maxLength={200}
        value={draft.model}
        onText={(model) => change({ model })}
      />
      <Switch
        label="Dry run"
        about="Runs are written down with what a job would be asked; none begins."
        isOn={draft.dryRun}
        onChange={(dryRun) => change({ dryRun })}
      />
    </>
  )
}

function CapFields({ draft, change, faults }: Part) {
  return (
    <FieldSet
      label="Limits of one turn of a job"
      hint="When a turn reaches one, what it has changed is published as a draft. Empty: the project’s."
    >
      <div class="grid gap-x-3 sm:grid-cols-3">
        {CAPS.map((name) => (
          <TextField
            key={name}
            label={CAP_WORDS[name]}
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
