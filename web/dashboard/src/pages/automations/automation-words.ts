/** Automations in words, and the templates that fill the form of a new one. */

import type { AutomationTrigger } from '../../../../../src/contract/automation-triggers.ts'
import type {
  Automation,
  AutomationRun,
  CreateAutomationBody,
} from '../../../../../src/contract/automations.ts'
import type { AutomationKind } from '../../../../../src/contract/form-choices.ts'
import { RUN_REASONS } from '../../../../../src/contract/form-choices.ts'
import type { Tone } from '../../ui/badge.tsx'
import { t } from '../../words/words.ts'

export const KIND_WORDS: Record<AutomationKind, string> = {
  schedule: 'On a schedule',
  push: 'After a publish',
  feedback: 'Feedback on one page',
  search: 'Searches without results',
  broken_link: 'Broken links',
  webhook: 'A message from outside',
  comment: 'A mention in a comment',
  pull_request: 'A pull request',
  code_push: 'A push to code',
}

export function triggerWords(trigger: AutomationTrigger): string {
  switch (trigger.kind) {
    case 'schedule':
      return scheduleWords(trigger)
    case 'push':
      return trigger.pages?.length ? `after a publish of ${trigger.pages.join(', ')}` : 'after a publish'
    case 'feedback':
      return `${trigger.count} entries of feedback on one page`
    case 'search':
      return `${trigger.count} searches without a result`
    case 'broken_link':
      return 'broken links'
    case 'webhook':
      return 'a message from outside'
    case 'comment':
      return `a comment that mentions ${trigger.mention ?? '@octavo'}`
    case 'pull_request':
      return `a pull request ${trigger.when ?? 'merged'} in ${trigger.repository}`
    case 'code_push':
      return `a push to ${trigger.repository}`
  }
}

function scheduleWords({
  every,
  hour = 9,
  minute = 0,
  weekday = 'monday',
  timeZone = 'UTC',
}: Extract<AutomationTrigger, { kind: 'schedule' }>): string {
  if (every === 'hour') return `each hour at minute ${minute}`
  const time = `${hour}:${String(minute).padStart(2, '0')} ${timeZone}`
  const day = weekday.charAt(0).toUpperCase() + weekday.slice(1)
  return every === 'day' ? `each day at ${time}` : `each ${day} at ${time}`
}

export function automationState({ paused, dryRun }: Automation): { tone: Tone; label: string } {
  if (paused) return { tone: 'neutral', label: t('Paused') }
  return dryRun ? { tone: 'info', label: t('Dry run') } : { tone: 'success', label: t('On') }
}

export function runState({ state, reason }: AutomationRun): { tone: Tone; label: string } {
  if (state === 'started') return { tone: 'success', label: t('Started a job') }
  if (state === 'added') return { tone: 'accent', label: t('Added to the open job') }
  return reason === 'dry_run'
    ? { tone: 'info', label: t('Dry run') }
    : { tone: 'neutral', label: t('Skipped') }
}

/** Null where the state says it all. */
export function reasonWords({ reason }: AutomationRun): string | null {
  return reason === null || reason === 'dry_run' ? null : RUN_REASONS[reason]
}

export interface Template {
  title: string
  body: CreateAutomationBody
}

export const TEMPLATES: readonly Template[] = [
  {
    title: t('Mend broken links'),
    body: {
      name: 'Broken links',
      trigger: { kind: 'broken_link' },
      prompt: 'Mend the links and images that lead nowhere. Remove a link only when nothing fits.',
    },
  },
  {
    title: t('Answer feedback'),
    body: {
      name: 'Feedback',
      trigger: { kind: 'feedback', count: 5 },
      prompt:
        'Change the page so that it answers the feedback of its readers. Leave out what is not about the docs.',
      budget: { runsPerDay: 10 },
    },
  },
  {
    title: t('Write what readers search for'),
    body: {
      name: 'Searches',
      trigger: { kind: 'search', count: 10 },
      prompt:
        'Readers searched for these words and found nothing. Where the docs say it in other words, add theirs; where they do not, say so and change nothing.',
      budget: { runsPerDay: 5 },
    },
  },
  {
    title: t('Keep translations up to date'),
    body: {
      name: 'Translations',
      trigger: { kind: 'push' },
      prompt: 'Bring the translations of the changed pages up to date.',
    },
  },
  {
    title: t('Document what was merged'),
    body: {
      name: 'Merged code',
      trigger: { kind: 'pull_request', repository: '', when: 'merged' },
      prompt:
        'Document what this pull request changed for those who use the product. Where nothing changed for them, say so and change nothing.',
      budget: { runsPerDay: 20 },
    },
  },
  {
    title: t('Keep pages true to the code'),
    body: {
      name: 'Changed code',
      trigger: { kind: 'code_push', repository: '' },
      prompt:
        'Compare the two commits with diff_code. Bring the named pages up to date where they have become wrong for those who use the product. Where nothing has, say so and change nothing.',
      budget: { runsPerDay: 10 },
    },
  },
  {
    title: t('Look over the docs each week'),
    body: {
      name: 'Weekly look',
      trigger: { kind: 'schedule', every: 'week', weekday: 'monday', hour: 6 },
      prompt: 'Look over the pages for what contradicts itself or is out of date, and mend it.',
    },
  },
]
