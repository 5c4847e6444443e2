/** How agent jobs are set up on this node, and what a project chose within that. */
import type { AgentChoice } from '../contract/agent.ts'
import type { JobCaps } from './tool.ts'

export interface AgentSetup {
  /** `<provider>:<name>`; null when the operator has configured none. */
  modelName: string | null
  caps: JobCaps
}

/** The project's model, else the operator's; null when there is none. */
export function modelNameFor(setup: AgentSetup, choice: AgentChoice): string | null {
  return setup.modelName === null ? null : (choice.model ?? setup.modelName)
}

/** The smaller of what the project and the operator say. */
export function capsFor(setup: AgentSetup, choice: AgentChoice): JobCaps {
  const cap = (name: keyof JobCaps) => Math.min(setup.caps[name], choice[name] ?? Number.POSITIVE_INFINITY)
  return {
    steps: cap('steps'),
    tokens: cap('tokens'),
    minutes: cap('minutes'),
    files: cap('files'),
    bytes: cap('bytes'),
  }
}
