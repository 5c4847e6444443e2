/** The fields of an automation: of a new one, and of one that is changed. */
import {
  AUTOMATION_KINDS,
  type Automation,
  type AutomationKind,
  type AutomationTrigger,
  type CreateAutomationBody,
  WEEKDAYS,
} from '../../../../../src/contract/automations.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/input.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextareaField, TextField } from '../../ui/text-field.tsx'
import { KIND_WORDS } from './automation-words.ts'

export const AUTOMATION_FIELDS = ['name', 'trigger', 'prompt', 'scope', 'budget', 'model'] as const
export type AutomationFaults = Partial<Record<(typeof AUTOMATION_FIELDS)[number], string>>

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
  scope: string
  runsPerDay: string
  dryRun: boolean
}

export function draftOf(body: CreateAutomationBody | Automation | null): Draft {
  const trigger: AutomationTrigger = body?.trigger ?? { kind: 'broken_link' }
  const schedule = trigger.kind === 'schedule' ? trigger : null
  const { hour = 9, minute = 0 } = schedule ?? {}
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
    scope: (body?.scope ?? []).join('\n'),
    runsPerDay: body?.budget?.runsPerDay === undefined ? '' : String(body.budget.runsPerDay),
    dryRun: body?.dryRun ?? false,
  }
}

/** `before` keeps what the form does not show. */
export function bodyOf(draft: Draft, before: Automation | null): CreateAutomationBody {
  const { runsPerDay: _, ...budget } = before?.budget ?? {}
  const runs = draft.runsPerDay.trim()
  return {
    name: draft.name.trim(),
    prompt: draft.prompt,
    trigger: triggerOf(draft),
    scope: linesOf(draft.scope),
    budget: { ...budget, ...(runs !== '' && { runsPerDay: Number(runs) }) },
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
      <Switch
        label="Dry run"
        about="Runs are written down with what a job would be asked; none begins."
        isOn={draft.dryRun}
        onChange={(dryRun) => change({ dryRun })}
      />
    </>
  )
}
