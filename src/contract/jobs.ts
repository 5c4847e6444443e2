/** Background jobs by name, and what each is given. Rows hold all else. */
export interface Jobs {
  'export.build': { exportId: string }
  /** The archive of a completed export that is missing. */
  'export.restore': { exportId: string }
  'deployment.publish': { deploymentId: string }
  /** Files of a published version that are missing. */
  'deployment.restore': { deploymentId: string }
  'agent.run': { jobId: string }
}

export type JobName = keyof Jobs
