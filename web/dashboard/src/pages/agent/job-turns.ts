/** Groups the events of a job by prompt for display, without repetitions. */
import type { AgentEvent, AgentEventType } from '../../../../../src/features/agent/operations/agent.ts'

export interface Turn {
  /** Null for steps before the first prompt. */
  prompt: { text: string; number: number } | null
  steps: readonly AgentEvent[]
}

const SHOWN_EVENT_TYPES: readonly AgentEventType[] = [
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
 * Returns the steps by prompt. Omits events that are only counted, and job states that are not final. A plan replaces
 * the call of the tool that created it.
 */
export function groupEventsByTurn(events: readonly AgentEvent[]): Turn[] {
  const turns: { prompt: Turn['prompt']; steps: AgentEvent[] }[] = []
  for (const event of events) {
    if (event.type === 'prompt')
      turns.push({ prompt: { text: event.data.prompt, number: event.data.number }, steps: [] })
    else if (SHOWN_EVENT_TYPES.includes(event.type) && !isHidden(event)) {
      if (turns.length === 0) turns.push({ prompt: null, steps: [] })
      const { steps } = turns.at(-1) as (typeof turns)[number]
      if (replacesLast(event, steps.at(-1))) steps.pop()
      // After a self-review the change is checked again; only the last passed check is shown.
      const check = steps.findLastIndex(({ type }) => type === 'check')
      if (isPassedCheck(event) && isPassedCheck(steps[check])) steps.splice(check, 1)
      // The final event already reports completion and the number of changed files.
      if (isDone(event)) steps.splice(0, steps.length, ...steps.filter((step) => !isRepeatedByResult(step)))
      steps.push(event)
    }
  }
  return turns
}

function isRepeatedByResult({ type, data }: AgentEvent): boolean {
  return type === 'changes' || (type === 'tool' && data.name === 'finish' && !data.isError)
}

function isPassedCheck(event: AgentEvent | undefined): boolean {
  return event?.type === 'check' && event.data.passed
}

function isDone(event: AgentEvent): boolean {
  return event.type === 'job' && event.data.status === 'completed'
}

/** Returns whether an event replaces the last one: the next of consecutive waits, or the same final state again. */
function replacesLast(event: AgentEvent, last: AgentEvent | undefined): boolean {
  if (event.type === 'waiting') return last?.type === 'waiting'
  if (event.type !== 'job' || last?.type !== 'job') return false
  return event.data.status === last.data.status && event.data.error === last.data.error
}

function isHidden(event: AgentEvent): boolean {
  if (event.type === 'tool') return event.data.name === 'plan' && !event.data.isError
  return event.type === 'job' && event.data.status === 'active'
}
