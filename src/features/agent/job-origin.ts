/** Settings that an automation passes to the jobs it starts. */
import type { JobBudget, OutsideText } from '../../database/schema/agent.ts'

export interface JobOrigin {
  automationId: string
  topic: string
  scope: readonly string[]
  budget: Partial<JobBudget>
  /** Null for the project's model. */
  model: string | null
  told: readonly OutsideText[]
}
