/**
 * Fields of the automation form, named by their paths in the request body, and the conversion to that body.
 */
import type { ComponentChildren } from 'preact'
import { AUTOMATION_KINDS, WEEKDAYS } from '../../../../../src/base/api/form-choices.ts'
import type {
  Automation,
  CreateAutomationBody,
} from '../../../../../src/features/automations/operations/automations.ts'
import type { Draft, Entry } from '../../forms/field-spec.ts'
import { t } from '../../words/words.ts'
import { AUTOMATION_KIND_LABELS, weekdayName } from './automation-labels.ts'

const INTERVAL_CHOICES = [
  { value: 'hour', label: t('Hour', { context: 'schedule' }) },
  { value: 'day', label: t('Day', { context: 'schedule' }) },
  { value: 'week', label: t('Week', { context: 'schedule' }) },
  { value: 'cron', label: t('Cron expression') },
]
const CAPS = [
  { name: 'budget/steps', label: t('Steps'), kind: 'number' },
  { name: 'budget/tokens', label: t('Tokens'), kind: 'number' },
  { name: 'budget/minutes', label: t('Minutes'), kind: 'number' },
] as const

export interface Repositories {
  names: readonly string[]
  /** Shown if the project has no code repositories. */
  missing: ComponentChildren
}

export function readAutomation(body: Partial<CreateAutomationBody> | Automation, { names }: Repositories) {
  const { trigger = { kind: 'broken_link' } } = body
  const schedule = trigger.kind === 'schedule' ? trigger : null
  const { hour = 9, minute = 0 } = schedule ?? {}
  return {
    ...body,
    'trigger/kind': trigger.kind,
    time: [hour, minute].map((part) => String(part).padStart(2, '0')).join(':'),
    'trigger/every': schedule?.cron === undefined ? (schedule?.every ?? 'day') : 'cron',
    ...(trigger.kind === 'code_push' && { 'trigger/repository': trigger.repository || (names[0] ?? '') }),
  }
}

export function automationFields(draft: Draft, repositories: Repositories, isNew: boolean): readonly Entry[] {
  return [
    { name: 'name', label: t('Name'), input: { autoFocus: isNew } },
    {
      name: 'trigger/kind',
      kind: 'select',
      label: t('Trigger'),
      isHidden: !isNew,
      choices: AUTOMATION_KINDS.map((value) => ({ value, label: AUTOMATION_KIND_LABELS[value] })),
      onChange: (kind) => ({ 'trigger/repository': (kind === 'code_push' && repositories.names[0]) || '' }),
    },
    ...scheduleFields(draft),
    ...triggerFields(draft, repositories),
    {
      name: 'prompt',
      kind: 'area',
      label: t('Prompt'),
      help: t('The agent also gets what triggered the run.'),
      input: { rows: 4 },
    },
    {
      name: 'scope',
      kind: 'area',
      label: t('Files that its jobs may change'),
      help: t(
        'Inside the docs folder, one pattern per line, such as de/** or docs.json. Leave it empty to allow all files that the agent may change.',
      ),
      placeholder: '',
      input: { rows: 2 },
    },
    {
      name: 'budget/runsPerDay',
      kind: 'number',
      label: t('Runs per day'),
      help: t('At most 500. It limits how often feedback and searches can start runs.'),
      placeholder: '500',
    },
    {
      group: t('Limits per turn of a job'),
      help: t(
        'A turn that reaches a limit publishes its changes as a draft. Leave a field empty to use the project’s limit.',
      ),
      isGrid: true,
      fields: CAPS.map((field) => ({ ...field, isOptional: false, placeholder: '' })),
    },
    {
      name: 'model',
      label: t('Model'),
      isMono: true,
      placeholder: '',
      help: t('In the form provider:name. Leave it empty to use the project’s model.'),
    },
    {
      name: 'dryRun',
      label: t('Dry run'),
      help: t('Runs are recorded with the prompt that a job would get. No job starts.'),
    },
  ]
}

function scheduleFields(draft: Draft): readonly Entry[] {
  const every = draft['trigger/every']
  const isHidden = draft['trigger/kind'] !== 'schedule'
  return [
    {
      ...{ name: 'trigger/every', kind: 'select', isHidden },
      label: t('Each', { context: 'schedule' }),
      choices: INTERVAL_CHOICES,
    },
    {
      ...{ name: 'trigger/weekday', kind: 'select', usual: 'monday' },
      label: t('On', { context: 'weekday' }),
      isHidden: isHidden || every !== 'week',
      choices: WEEKDAYS.map((day) => ({ value: day, label: weekdayName(day) })),
    },
    {
      name: 'trigger/cron',
      label: t('Cron expression'),
      help: t('Minute, hour, day of the month, month and weekday.'),
      isHidden: isHidden || every !== 'cron',
      ...{ isMono: true, isOptional: false },
    },
    {
      name: 'time',
      label: t('At', { context: 'time of day' }),
      help: every === 'hour' ? t('Only the minute is used.') : undefined,
      isHidden: isHidden || every === 'cron',
      input: { type: 'time' },
    },
    {
      ...{ name: 'trigger/timeZone', label: t('Time zone'), isHidden, isOptional: false, placeholder: '' },
      usual: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
  ]
}

function triggerFields(draft: Draft, { names, missing }: Repositories): readonly Entry[] {
  const kind = draft['trigger/kind']
  const { 'trigger/repository': chosen = '' } = draft
  const isCode = kind === 'code_push'
  const known = chosen === '' || names.includes(String(chosen)) ? names : [String(chosen), ...names]
  return [
    {
      name: 'trigger/mention',
      label: t('Mention'),
      help: t(
        'A comment on an issue or pull request that contains this word starts a job. The push webhook must also send comments.',
      ),
      ...{ isHidden: kind !== 'comment', isOptional: false, usual: '@octavo' },
    },
    {
      name: 'trigger/people',
      kind: 'area',
      label: t('Who may use it'),
      help: t('Usernames on the forge, one per line. Comments by others are ignored.'),
      ...{ isHidden: kind !== 'comment', placeholder: '', input: { rows: 2 } },
    },
    isCode
      ? {
          name: 'trigger/repository',
          kind: 'select',
          label: t('Code repository'),
          help:
            known.length === 0
              ? missing
              : t(
                  'Checked every hour. To check within a minute of a push, add a push webhook to this repository, with the same URL and secret as in the docs repository.',
                ),
          choices: known.map((name) => ({ value: name, label: name })),
        }
      : {
          name: 'trigger/repository',
          label: t('Repository'),
          help: t(
            'Its name on the forge, such as acme/api. It needs a webhook for pull requests with the same URL and secret as the push webhook.',
          ),
          ...{ isHidden: kind !== 'pull_request', placeholder: '' },
        },
    {
      ...{ name: 'trigger/when', kind: 'select', isHidden: kind !== 'pull_request', usual: 'merged' },
      label: t('When'),
      choices: [
        { value: 'merged', label: t('It was merged') },
        { value: 'opened', label: t('It was opened') },
      ],
    },
    {
      name: 'trigger/files',
      kind: 'area',
      label: t('Only these files'),
      help: t('Code files to watch, one pattern per line, such as src/**.'),
      ...{ isHidden: !isCode, placeholder: '', input: { rows: 2 } },
    },
    {
      name: 'trigger/count',
      kind: 'number',
      label: kind === 'search' ? t('Searches without a result in 7 days') : t('Pending entries on one page'),
      ...{ isHidden: kind !== 'feedback' && kind !== 'search', usual: '5' },
    },
    {
      name: 'trigger/pages',
      kind: 'area',
      label: t('Only these pages'),
      help: t('One pattern per line, such as /guides/**.'),
      isHidden: !['code_push', 'push', 'alarm', 'feedback'].includes(String(kind)),
      ...{ placeholder: '', input: { rows: 2 } },
    },
  ]
}

export interface AutomationValues extends Omit<CreateAutomationBody, 'trigger'> {
  trigger?: Record<string, unknown>
  time?: string
}

export function toAutomationBody({ time, ...body }: AutomationValues, kind: unknown): CreateAutomationBody {
  const { every, ...fields } = body.trigger ?? {}
  const [hour = 0, minute = 0] = (time ?? '').split(':').map(Number)
  const filled = Object.entries(fields).filter(([, value]) => !Array.isArray(value) || value.length > 0)
  const trigger = { ...Object.fromEntries(filled), kind, ...(time !== undefined && { every, hour, minute }) }
  return { ...body, trigger: trigger as CreateAutomationBody['trigger'] }
}
