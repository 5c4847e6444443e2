/** Settings for agent jobs on this node, and the choices that a project can make within them. */

import type { JobBudget } from '../../database/schema/agent.ts'
import type { JobCaps } from './loop/tool.ts'
import type { AgentChoice } from './operations/agent.ts'
import { AGENT_CAPS } from './operations/agent-caps.ts'

export interface AgentSetup {
  /** `<provider>:<name>`; null if the operator has configured no model. */
  modelName: string | null
  caps: JobCaps
}

export function modelNameFor(setup: AgentSetup, choice: AgentChoice): string | null {
  return setup.modelName === null ? null : (choice.model ?? setup.modelName)
}

/** Returns for each limit the lowest value set by the operator, the project or the job's budget. */
export function capsFor(setup: AgentSetup, choice: AgentChoice, budget: Partial<JobBudget> = {}): JobCaps {
  const requestedBudget: Partial<JobCaps> = budget
  const cap = (name: keyof JobCaps) =>
    Math.min(setup.caps[name], ...[choice[name], requestedBudget[name]].filter((one) => one !== undefined))
  return Object.fromEntries(AGENT_CAPS.map((name) => [name, cap(name)])) as unknown as JobCaps
}
