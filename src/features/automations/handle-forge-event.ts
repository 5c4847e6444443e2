/**
 * Starts runs for forge events about comments and pull requests. An automation whose users, words or
 * repository do not match records nothing.
 */

import type { Limit } from '../../base/api/limits.ts'
import type { Tx } from '../../database/database.ts'
import { consumeSlot } from '../../routing/rate-window.ts'
import { type Cause, emptyCause, maskText } from './cause.ts'
import type { ForgeComment, ForgeEvent, ForgePullRequest, ForgeSubject } from './forge-event.ts'
import type { AutomationTrigger } from './operations/automation-triggers.ts'
import { type RunCauseDeps, runCause } from './run.ts'
import { findDeliveredRun, messageWindow } from './run-now.ts'
import { type AutomationRow, isAtWork } from './store.ts'

export interface ForgeEventDeps extends RunCauseDeps {
  limits: { automationMessages: Limit }
}

/** Returns true if an automation accepted the event. Repeated deliveries run only once. */
export async function handleForgeEvent(
  deps: ForgeEventDeps,
  tx: Tx,
  projectId: string,
  event: ForgeEvent,
): Promise<boolean> {
  if (await isOfOwnRequest(tx, projectId, event)) return false
  const rows = (await lockAutomations(tx, projectId, event.kind)).filter(({ trigger }) =>
    matchesTrigger(trigger, event),
  )
  const { delivery, cause } = event.kind === 'comment' ? commentCause(event) : pullRequestCause(event)
  let isTaken = false
  for (const row of rows) {
    if ((await findDeliveredRun(tx, row, delivery)) !== undefined) continue
    // The limit applies only to this automation; other automations and publishing continue.
    if (!(await consumeSlot(tx, messageWindow(deps, row))).accepted) continue
    await runCause(deps, tx, row, cause, { cause: row.kind, delivery })
    isTaken = true
  }
  return isTaken
}

/** Returns true for comments on a job's open pull request, which the job handles, and for pull requests of jobs. */
async function isOfOwnRequest(tx: Tx, projectId: string, { kind, subject }: ForgeEvent): Promise<boolean> {
  const ownJob = await tx
    .selectFrom('agent_jobs')
    .select('id')
    .where('project_id', '=', projectId)
    .where('pull_request_link', '=', subject.link)
    .$if(kind === 'comment', (query) => query.where('pull_request_state', '=', 'open'))
    .executeTakeFirst()
  return ownJob !== undefined
}

/** Locks rows in the order of their ids, like all code that locks several automations. */
async function lockAutomations(
  tx: Tx,
  projectId: string,
  kind: ForgeEvent['kind'],
): Promise<AutomationRow[]> {
  return await tx
    .selectFrom('automations')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('kind', '=', kind)
    .where('paused_at', 'is', null)
    .where(isAtWork)
    .orderBy('id')
    .forUpdate()
    .execute()
}

function matchesTrigger(trigger: AutomationTrigger, event: ForgeEvent): boolean {
  if (trigger.kind === 'comment' && event.kind === 'comment')
    return isOneOf(trigger.people, event.author) && mentions(event.text, trigger.mention ?? DEFAULT_MENTION)
  if (trigger.kind !== 'pull_request' || event.kind !== 'pull_request') return false
  const { repository, when = DEFAULT_WHEN } = trigger
  return when === event.happened && isOneOf([repository], event.subject.repository)
}

const DEFAULT_MENTION = '@octavo'
const DEFAULT_WHEN = 'merged'

function isOneOf(names: readonly string[], name: string): boolean {
  return names.some((one) => one.toLowerCase() === name.toLowerCase())
}

/** Matches a whole word that is not part of a URL. */
function mentions(text: string, mention: string): boolean {
  const content = withoutQuotes(text).toLowerCase()
  const word = mention.toLowerCase()
  for (let at = content.indexOf(word); at !== -1; at = content.indexOf(word, at + 1)) {
    const [before = ' ', after = ' '] = [content[at - 1], content[at + word.length]]
    if (!/[\p{L}\p{N}_./@-]/u.test(before) && !/[\p{L}\p{N}_-]/u.test(after)) return true
  }
  return false
}

function withoutQuotes(text: string): string {
  let fence = ''
  const lines = text.split('\n').filter((line) => {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === '') fence = mark
    else if (mark.startsWith(fence)) {
      fence = ''
      return false
    }
    return fence === '' && !/^ {0,3}>/.test(line)
  })
  return lines.join('\n').replace(/`[^`\n]*`/g, '')
}

function commentCause({ id, author, text, subject, location: commentLocation }: ForgeComment): {
  delivery: string
  cause: Cause
} {
  const where =
    commentLocation === null
      ? ''
      : `, at ${commentLocation.path}${commentLocation.line === null ? '' : ` line ${commentLocation.line}`}`
  const content = `${author} wrote on ${describeSubject(subject)}${where}:\n\n${text}`
  return {
    delivery: `comment ${subject.repository} ${id}`,
    cause: toCause(subject, 'the comment that started this run', content),
  }
}

function pullRequestCause({ happened, author, text, subject, branch, target, commit }: ForgePullRequest) {
  const merge = commit === null ? '' : ` as commit ${commit}`
  const done = happened === 'merged' ? `was merged into ${target}${merge}` : `was opened for ${target}`
  const content = `${describeSubject(subject)}, from branch ${branch} by ${author}, ${done}. Its description:\n\n${text}`
  return {
    delivery: `pull request ${subject.repository} ${subject.number} ${happened}`,
    cause: toCause(subject, 'the pull request that started this run', content),
  }
}

function toCause({ repository, kind, number }: ForgeSubject, what: string, content: string): Cause {
  return {
    ...emptyCause(`${repository} ${kind} ${number}`),
    externalTexts: [{ what, text: maskText(content) }],
  }
}

function describeSubject({ repository, kind, number, title, link }: ForgeSubject): string {
  return `${kind} ${number} of ${repository} (“${title}”, ${link})`
}
