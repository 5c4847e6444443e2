/** Formats agent jobs and their events for a terminal. */

import { resolveProgramCommand } from '../app/operator/program-call.ts'
import type { AgentEvent, AgentJob, AgentReview, PlanItem } from '../features/agent/operations/agent.ts'
import { oneLine } from './one-line.ts'

export function formatJob(job: AgentJob): string[] {
  return [
    `${job.id}  ${job.status}${job.title === null ? '' : `  ${oneLine(job.title, 80)}`}`,
    ...(job.error === null ? [] : [`  ${oneLine(job.error, 400)}`]),
    ...(job.status === 'completed' && job.filesChanged === 0 ? ['  No file was changed.'] : []),
    ...(job.filesChanged > 0
      ? [`  ${job.filesChanged} ${job.filesChanged === 1 ? 'file' : 'files'} changed`]
      : []),
    ...(job.prLink === null ? [] : [`  ${job.prLink}`]),
  ]
}

const MARKS: Record<PlanItem['state'], string> = { open: '[ ]', at_work: '[~]', done: '[x]' }

/**
 * Returns lines for an event. Events that only count or change the state of the job have none, because the
 * final state is printed as the result.
 */
export function formatEvent(event: AgentEvent): string[] {
  switch (event.type) {
    case 'prompt':
      return [`> ${oneLine(event.data.prompt, 200)}`]
    case 'text':
      return event.data.text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => oneLine(line, 400))
    case 'tool': {
      const { name, input, result, isError } = event.data
      return [`  ${isError ? '!' : '·'} ${oneLine(name, 40)} ${oneLine(input, 80)} → ${oneLine(result, 80)}`]
    }
    case 'plan':
      return event.data.items.map(({ text, state }) => `  ${MARKS[state]} ${oneLine(text, 120)}`)
    case 'changes':
      return [`  ${event.data.files.length} files changed`]
    case 'check':
      if (event.data.passed) return ['  The change passes the check.']
      return [
        `  The check found ${event.data.problems.length} ${event.data.problems.length === 1 ? 'problem' : 'problems'} (round ${event.data.round}):`,
        ...event.data.problems.map(
          ({ path, line, message }) =>
            `    ${oneLine(path, 120)}${line === null ? '' : `:${line}`}  ${oneLine(message, 200)}`,
        ),
      ]
    case 'notice':
      return [`  ${oneLine(event.data.text, 400)}`]
    case 'waiting':
      if (event.data.question !== undefined)
        return [
          `  The agent asks: ${oneLine(event.data.question, 2000)}`,
          '  Answer with octavo agent message.',
        ]
      return [`  Waiting ${Math.ceil(event.data.seconds)} s: ${oneLine(event.data.for, 200)}`]
    case 'job':
    case 'usage':
      return []
  }
}

function formatRisks(risks: AgentReview['risks'], needsSecondYes: boolean): string[] {
  if (risks.length === 0) return []
  return [
    '',
    needsSecondYes
      ? 'Every file of this change has a high risk. Accepting requires --confirm-risks. Check these first:'
      : 'Check these first:',
    ...risks.map(
      ({ kind, path, line, what }) =>
        `  ${kind.padEnd(9)} ${oneLine(path, 120)}${line === null ? '' : `:${line}`}  ${oneLine(what, 200)}`,
    ),
  ]
}

export function formatReview(
  { job, state, isLocal, summary, files, risks, needsSecondYes }: AgentReview,
  projectId: string,
): string[] {
  return [
    ...formatJob(job),
    ...formatRisks(risks, needsSecondYes),
    ...(summary === null ? [] : ['', ...summary.split('\n').map((line) => oneLine(line, 400))]),
    '',
    ...files.flatMap(({ path, change, reason }) => [
      `${change.padEnd(9)} ${oneLine(path, 120)}`,
      ...(reason === null ? [] : [`          ${oneLine(reason, 200)}`]),
    ]),
    ...(files.length === 0 ? ['No file was changed.'] : []),
    ...(state === 'open' && isLocal
      ? [
          '',
          ...['accept', 'decline'].map(
            (word) => `${resolveProgramCommand()} agent ${word} ${job.id} --project ${projectId}`,
          ),
        ]
      : []),
    ...(state === 'merged' || state === 'closed' ? ['', `The change is ${state}.`] : []),
  ]
}
