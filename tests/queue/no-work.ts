/** Handlers that complete every job at once. */
import { JOB_NAMES, type JobName } from '../../src/queue/job-settings.ts'

const end = async () => {}

export const NO_WORK = Object.fromEntries(JOB_NAMES.map((name) => [name, end])) as Record<JobName, typeof end>
