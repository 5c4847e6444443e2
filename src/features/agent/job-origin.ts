/** What an automation says of the jobs that it begins. */
import type { JobBudget, Told } from '../../database/schema/agent.ts'

export interface JobOrigin {
  automationId: string
  topic: string
  scope: readonly string[]
  budget: Partial<JobBudget>
  /** Null: the project's. */
  model: string | null
  told: readonly Told[]
}
