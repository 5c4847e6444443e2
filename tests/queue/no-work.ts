/** Handlers that end every job at once. */
import type { JobHandlers } from '../../src/queue/job-handler.ts'

const end = async () => {}

export const NO_WORK: JobHandlers = {
  'export.build': end,
  'export.restore': end,
  'deployment.publish': end,
  'deployment.restore': end,
  'agent.run': end,
}
