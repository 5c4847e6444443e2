/** Background jobs by name, and what each is given. Rows hold all else. */
export interface Jobs {
  'export.build': { exportId: string }
  'deployment.publish': { deploymentId: string }
  'agent.run': { jobId: string }
}

export type JobName = keyof Jobs
