/** Labels for automations, and the templates that prefill the form. */

import type { AutomationKind } from '../../../../../src/base/api/form-choices.ts'
import { RUN_REASONS, WEEKDAYS } from '../../../../../src/base/api/form-choices.ts'
import type { AutomationTrigger } from '../../../../../src/features/automations/operations/automation-triggers.ts'
import type {
  Automation,
  AutomationRun,
  CreateAutomationBody,
} from '../../../../../src/features/automations/operations/automations.ts'
import type { Tone } from '../../ui/badge.tsx'
import { language, plural, t, translateMessage } from '../../words/words.ts'

export const AUTOMATION_KIND_LABELS: Record<AutomationKind, string> = {
  schedule: t('On a schedule'),
  push: t('After publishing'),
  feedback: t('Feedback on one page'),
  search: t('Searches without results'),
  broken_link: t('Broken links'),
  alarm: t('Statements in doubt'),
  translation: t('Stale translations'),
  webhook: t('An external message'),
  comment: t('A mention in a comment'),
  pull_request: t('A pull request'),
  code_push: t('A push to code'),
}

export function describeTrigger(trigger: AutomationTrigger): string {
  switch (trigger.kind) {
    case 'schedule':
      return describeSchedule(trigger)
    case 'push':
      return trigger.pages?.length
        ? t('after publishing {pages}', { pages: trigger.pages.join(', ') })
        : t('after publishing')
    case 'feedback':
      return plural(
        trigger.count,
        '{count} feedback entry on one page',
        '{count} feedback entries on one page',
      )
    case 'search':
      return plural(trigger.count, '{count} search without a result', '{count} searches without a result')
    case 'broken_link':
      return t('broken links')
    case 'translation':
      return t('stale translations')
    case 'alarm':
      return t('statements in doubt')
    case 'webhook':
      return t('an external message')
    case 'comment':
      return t('a comment that mentions {name}', { name: trigger.mention ?? '@octavo' })
    case 'pull_request':
      return trigger.when === 'opened'
        ? t('a pull request opened in {repository}', { repository: trigger.repository })
        : t('a pull request merged in {repository}', { repository: trigger.repository })
    case 'code_push':
      return t('a push to {repository}', { repository: trigger.repository })
  }
}

function describeSchedule({
  every,
  cron,
  hour = 9,
  minute = 0,
  weekday = 'monday',
  timeZone = 'UTC',
}: Extract<AutomationTrigger, { kind: 'schedule' }>): string {
  if (cron !== undefined) return t('at {cron} {timeZone}', { cron, timeZone })
  if (every === 'hour') return t('each hour at minute {minute}', { minute })
  const time = `${hour}:${String(minute).padStart(2, '0')} ${timeZone}`
  return every === 'day'
    ? t('each day at {time}', { time })
    : t('each {weekday} at {time}', { weekday: weekdayName(weekday), time })
}

const weekdayNames = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
/** 1 January 2024, a Monday. */
const MONDAY_MS = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000

export function weekdayName(day: (typeof WEEKDAYS)[number]): string {
  return weekdayNames.format(MONDAY_MS + WEEKDAYS.indexOf(day) * DAY_MS)
}

export function describeAutomationState({ paused, dryRun }: Automation): { tone: Tone; label: string } {
  if (paused) return { tone: 'neutral', label: t('Paused') }
  return dryRun
    ? { tone: 'info', label: t('Dry run') }
    : { tone: 'success', label: t('On', { context: 'state' }) }
}

export function describeRunState({ state, reason }: AutomationRun): { tone: Tone; label: string } {
  if (state === 'started') return { tone: 'success', label: t('Started a job') }
  if (state === 'added') return { tone: 'accent', label: t('Added to the open job') }
  return reason === 'dry_run'
    ? { tone: 'info', label: t('Dry run') }
    : { tone: 'neutral', label: t('Skipped') }
}

/** Returns the reason of a run; null when its state is self-explanatory. */
export function describeRunReason({ reason }: AutomationRun): string | null {
  return reason === null || reason === 'dry_run' ? null : translateMessage(RUN_REASONS[reason])
}

export interface Template {
  title: string
  body: CreateAutomationBody
}

export const TEMPLATES: readonly Template[] = [
  {
    title: t('Fix broken links'),
    body: {
      name: t('Broken links'),
      trigger: { kind: 'broken_link' },
      prompt: t('Fix links and images that are broken. Remove a link only if there is no suitable target.'),
    },
  },
  {
    title: t('Bring translations up to date'),
    body: {
      name: t('Stale translations'),
      trigger: { kind: 'translation' },
      prompt: t('Bring each translation up to date with its original.'),
    },
  },
  {
    title: t('Correct statements in doubt'),
    body: {
      name: t('Statements in doubt'),
      trigger: { kind: 'alarm' },
      prompt: t(
        'Check each statement against the current code. Correct false statements, and leave correct statements unchanged.',
      ),
    },
  },
  {
    title: t('Answer feedback'),
    body: {
      name: t('Feedback'),
      trigger: { kind: 'feedback', count: 5 },
      prompt: t(
        'Change the page so that it addresses the feedback of its readers. Ignore feedback that is not about the docs.',
      ),
      budget: { runsPerDay: 10 },
    },
  },
  {
    title: t('Document what readers search for'),
    body: {
      name: t('Searches'),
      trigger: { kind: 'search', count: 10 },
      prompt: t(
        'Readers searched for these words and found nothing. If the docs cover the topic in other words, add the readers’ words. If the docs do not cover it, say so and change nothing.',
      ),
      budget: { runsPerDay: 5 },
    },
  },
  {
    title: t('Keep translations up to date'),
    body: {
      name: t('Translations'),
      trigger: { kind: 'push' },
      prompt: t('Update the translations of the changed pages.'),
    },
  },
  {
    title: t('Document merged changes'),
    body: {
      name: t('Merged code'),
      trigger: { kind: 'pull_request', repository: '', when: 'merged' },
      prompt: t(
        'Document what this pull request changes for users of the product. If nothing changes for them, say so and change nothing.',
      ),
      budget: { runsPerDay: 20 },
    },
  },
  {
    title: t('Keep pages in sync with the code'),
    body: {
      name: t('Changed code'),
      trigger: { kind: 'code_push', repository: '' },
      prompt: t(
        'Compare the two commits with diff_code. Update the named pages where they are now wrong for users of the product. If nothing is wrong, say so and change nothing.',
      ),
      budget: { runsPerDay: 10 },
    },
  },
  {
    title: t('Review the docs every week'),
    body: {
      name: t('Weekly review'),
      trigger: { kind: 'schedule', every: 'week', weekday: 'monday', hour: 6 },
      prompt: t('Review the pages for contradictions and outdated content, and fix them.'),
    },
  },
]
