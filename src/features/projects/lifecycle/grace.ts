/**
 * Hours that an object stays at the least which nothing needs any more: one more than a job may run, so that what a job
 * has used is then needed by its row, or by nobody. Counted in time that somebody has seen pass (src/database/clock.ts). A test holds it against the deadlines of jobs.
 */
export const LEAST_GRACE_HOURS = 7
