/** Progress bars of deployments and exports. In phases that count nothing, the name of the phase is shown. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { OctavoClient } from '../client/client.ts'
import { ARCHIVE_PROGRESS } from '../features/export/operations/static-export.ts'
import type { Deployment, DeploymentStage } from '../features/hosting/operations/deployments.ts'
import { bar, createProgressLine, formatCountBar } from './progress-line.ts'

const POLL_INTERVAL_MS = 400

export async function followDeployment(
  client: OctavoClient,
  projectId: string,
  started: Deployment,
): Promise<Deployment> {
  const line = createProgressLine()
  let state = started
  try {
    while (state.status === 'queued' || state.status === 'running') {
      await sleep(POLL_INTERVAL_MS)
      state = await client.getDeployment(projectId, state.deploymentId)
      line.update(formatDeploymentProgress(state))
    }
  } finally {
    line.end()
  }
  return state
}

/** Formats the number of pages during rendering, and the name of the phase afterwards. */
export function formatDeploymentProgress(state: {
  pageCount: number
  totalPages: number | null
  stages: readonly { name: DeploymentStage }[]
}): string {
  const stage = state.stages.at(-1)?.name ?? 'waiting'
  if (stage !== 'render') return `${STAGE_LABELS[stage]} …`
  if (state.totalPages === null) return `${STAGE_LABELS.source} …`
  if (state.pageCount < state.totalPages) return formatCountBar(state.pageCount, state.totalPages, 'pages')
  return `${bar(100)}  ${state.totalPages} pages rendered, writing the site …`
}

const STAGE_LABELS = {
  waiting: 'Waiting for a worker',
  source: 'Reading the source',
  store: 'Storing the site',
  publish: 'Publishing',
} as const

/** Formats the progress of the whole export: rendering, writing pages, and creating the archive. */
export function formatExportProgress(job: {
  status: string
  progress: number
  pageCount: number
  totalPages: number | null
}): string {
  if (job.status === 'queued') return `${STAGE_LABELS.waiting} …`
  if (job.totalPages === null) return `${STAGE_LABELS.source} …`
  const isRendered = job.pageCount >= job.totalPages
  const stage = job.progress < ARCHIVE_PROGRESS ? 'writing the pages' : 'creating the archive'
  const pages = `${job.pageCount} of ${job.totalPages} pages`
  return `${bar(job.progress)}  ${isRendered ? `${pages}, ${stage} …` : pages}`
}
