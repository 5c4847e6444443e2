/** Form state of an automation, and the request body built from it. */

import type { AutomationKind, WEEKDAYS } from '../../../../../src/base/api/form-choices.ts'
import type { AutomationTrigger } from '../../../../../src/features/automations/operations/automation-triggers.ts'
import type {
  Automation,
  CreateAutomationBody,
} from '../../../../../src/features/automations/operations/automations.ts'

/** Field names for errors; the first matching prefix wins. */
export const AUTOMATION_FIELDS = [
  ...(['name', 'trigger/mention', 'trigger/repository', 'trigger/pages'] as const),
  ...(['trigger', 'prompt', 'scope'] as const),
  ...(['budget/steps', 'budget/tokens', 'budget/minutes', 'budget', 'model'] as const),
]
export type AutomationFaults = Partial<Record<(typeof AUTOMATION_FIELDS)[number], string>>

/** Caps that an automation can override. */
export const CAPS = ['steps', 'tokens', 'minutes'] as const
/** Form values as typed. */
export interface Draft {
  name: string
  prompt: string
  kind: AutomationKind
  every: 'hour' | 'day' | 'week' | 'cron'
  cron: string
  time: string
  weekday: (typeof WEEKDAYS)[number]
  timeZone: string
  pages: string
  count: string
  mention: string
  people: string
  repository: string
  when: 'opened' | 'merged'
  /** Name of a code repository, and the patterns of its files that trigger a run. */
  code: string
  files: string
  scope: string
  runsPerDay: string
  caps: Record<(typeof CAPS)[number], string>
  model: string
  dryRun: boolean
}

export function toAutomationDraft(body: CreateAutomationBody | Automation | null): Draft {
  const trigger: AutomationTrigger = body?.trigger ?? { kind: 'broken_link' }
  const schedule = trigger.kind === 'schedule' ? trigger : null
  const { hour = 9, minute = 0 } = schedule ?? {}
  const budget = body?.budget ?? {}
  return {
    name: body?.name ?? '',
    prompt: body?.prompt ?? '',
    kind: trigger.kind,
    every: schedule?.cron === undefined ? (schedule?.every ?? 'day') : 'cron',
    cron: schedule?.cron ?? '',
    time: [hour, minute].map((part) => String(part).padStart(2, '0')).join(':'),
    weekday: schedule?.weekday ?? 'monday',
    timeZone: schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    pages: 'pages' in trigger ? (trigger.pages ?? []).join('\n') : '',
    count: 'count' in trigger ? String(trigger.count) : '5',
    mention: (trigger.kind === 'comment' && trigger.mention) || '@octavo',
    people: trigger.kind === 'comment' ? trigger.people.join('\n') : '',
    repository: trigger.kind === 'pull_request' ? trigger.repository : '',
    when: (trigger.kind === 'pull_request' && trigger.when) || 'merged',
    code: trigger.kind === 'code_push' ? trigger.repository : '',
    files: trigger.kind === 'code_push' ? (trigger.files ?? []).join('\n') : '',
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

export function toAutomationBody(draft: Draft): CreateAutomationBody {
  const bounds = { runsPerDay: draft.runsPerDay, ...draft.caps }
  const filledCaps = Object.entries(bounds).filter(([, text]) => text.trim() !== '')
  return {
    name: draft.name.trim(),
    prompt: draft.prompt,
    trigger: toTrigger(draft),
    scope: splitLines(draft.scope),
    budget: Object.fromEntries(filledCaps.map(([name, text]) => [name, Number(text)])),
    model: draft.model.trim() || null,
    dryRun: draft.dryRun,
  }
}

function toTrigger(draft: Draft): AutomationTrigger {
  const { kind, every, time, weekday, timeZone, count } = draft
  const pages = splitLines(draft.pages)
  const named = pages.length > 0 && { pages }
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  switch (kind) {
    case 'schedule':
      if (every === 'cron') return { kind, cron: draft.cron.trim(), timeZone: timeZone.trim() }
      return { kind, every, hour, minute, weekday, timeZone: timeZone.trim() }
    case 'push':
      return { kind, ...named }
    case 'feedback':
      return { kind, count: Number(count), ...named }
    case 'search':
      return { kind, count: Number(count) }
    case 'comment':
      return { kind, mention: draft.mention.trim(), people: splitLines(draft.people) }
    case 'pull_request':
      return { kind, repository: draft.repository.trim(), when: draft.when }
    case 'code_push': {
      const files = splitLines(draft.files)
      return { kind, repository: draft.code.trim(), ...(files.length > 0 && { files }), ...named }
    }
    default:
      return { kind }
  }
}

function splitLines(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
}

export interface FieldGroupProps {
  draft: Draft
  change: (part: Partial<Draft>) => void
  faults: AutomationFaults
}
