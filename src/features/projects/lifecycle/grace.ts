/**
 * Minimum number of hours that an unneeded object stays: one more than a job may run, so that an object used by a job
 * is by then needed by the job's row, or not at all. Counts only observed time (src/database/clock.ts). A test
 * compares it with the deadlines of jobs.
 */
export const MIN_GRACE_HOURS = 7
