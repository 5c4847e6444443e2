/**
 * Minimum number of hours for which an unreferenced object is retained: one hour more than the longest job. By
 * then, the job's row either references the object or never will. Counts only observed time
 * (src/database/clock.ts). A test compares the value with the deadlines of jobs.
 */
export const MIN_GRACE_HOURS = 7
