/** The steps of a job as one reads them: by what was asked, and each thing once. */
import type { AgentEvent, AgentEventType } from '../../../../../src/features/agent/operations/agent.ts'

/** What one prompt led to. */
export interface Turn {
  /** Null: before the first prompt. */
  prompt: { text: string; number: number } | null
  steps: readonly AgentEvent[]
}

const SHOWN: readonly AgentEventType[] = [
  'text',
  'tool',
  'plan',
  'check',
  'notice',
  'waiting',
  'changes',
  'job',
]

/**
 * Steps by prompt, without those that only count; of the states of the job only its ends. A plan stands for the tool that
 * made it.
 */
export function turnsOf(events: readonly AgentEvent[]): Turn[] {
  const turns: { prompt: Turn['prompt']; steps: AgentEvent[] }[] = []
  for (const event of events) {
    if (event.type === 'prompt')
      turns.push({ prompt: { text: event.data.prompt, number: event.data.number }, steps: [] })
    else if (SHOWN.includes(event.type) && !isLeftOut(event)) {
      if (turns.length === 0) turns.push({ prompt: null, steps: [] })
      const { steps } = turns.at(-1) as (typeof turns)[number]
      if (replaces(event, steps.at(-1))) steps.pop()
      // Checked again after the agent has looked at its change once more: the last check says that it passes.
      const check = steps.findLastIndex(({ type }) => type === 'check')
      if (isPassed(event) && isPassed(steps[check])) steps.splice(check, 1)
      // The end says it once: that it finished, and how many files it changed.
      if (isDone(event)) steps.splice(0, steps.length, ...steps.filter((step) => !isSaidByEnd(step)))
      steps.push(event)
    }
  }
  return turns
}

function isSaidByEnd({ type, data }: AgentEvent): boolean {
  return type === 'changes' || (type === 'tool' && data.name === 'finish' && !data.isError)
}

function isPassed(event: AgentEvent | undefined): boolean {
  return event?.type === 'check' && event.data.passed
}

function isDone(event: AgentEvent): boolean {
  return event.type === 'job' && event.data.status === 'completed'
}

/** The last of several waits stands for all of them, and so does the last word of the same end. */
function replaces(event: AgentEvent, last: AgentEvent | undefined): boolean {
  if (event.type === 'waiting') return last?.type === 'waiting'
  if (event.type !== 'job' || last?.type !== 'job') return false
  return event.data.status === last.data.status && event.data.error === last.data.error
}

function isLeftOut(event: AgentEvent): boolean {
  if (event.type === 'tool') return event.data.name === 'plan' && !event.data.isError
  return event.type === 'job' && event.data.status === 'active'
}
