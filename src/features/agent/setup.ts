/** Settings for agent jobs on this node, and a project's choices within them. */

import type { JobBudget } from '../../database/schema/agent.ts'
import type { JobCaps } from './loop/tool.ts'
import type { AgentChoice } from './operations/agent.ts'

export interface AgentSetup {
  /** `<provider>:<name>`; null when the operator has configured no model. */
  modelName: string | null
  caps: JobCaps
}

/** Returns the project's model, else the operator's; null when there is none. */
export function modelNameFor(setup: AgentSetup, choice: AgentChoice): string | null {
  return setup.modelName === null ? null : (choice.model ?? setup.modelName)
}

/** Returns the lowest limits set by the operator, the project and the job's own budget. */
export function capsFor(setup: AgentSetup, choice: AgentChoice, budget: Partial<JobBudget> = {}): JobCaps {
  const requestedBudget: Partial<JobCaps> = budget
  const cap = (name: keyof JobCaps) =>
    Math.min(setup.caps[name], ...[choice[name], requestedBudget[name]].filter((one) => one !== undefined))
  return {
    steps: cap('steps'),
    tokens: cap('tokens'),
    minutes: cap('minutes'),
    files: cap('files'),
    bytes: cap('bytes'),
  }
}
