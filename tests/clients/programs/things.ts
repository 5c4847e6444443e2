export interface Things {
  baseUrl: string
  key: string
  assistantKey: string
  projectId: string
  domain: string
  automationId: string
  /** Uploads the bundle of an export, as a worker does. */
  finishExport(jobId: string): Promise<void>
}
