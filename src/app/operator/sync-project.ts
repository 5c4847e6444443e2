/** Publishes a project and waits. Does the work itself, so that it needs no running node, and can run beside one. */
import { setTimeout as sleep } from 'node:timers/promises'
import { getDeployment } from '../../features/hosting/deploy/read-deployments.ts'
import { startDeployment } from '../../features/hosting/deploy/start-deployment.ts'
import type { Deployment } from '../../features/hosting/operations/deployments.ts'
import type { Project } from '../../features/projects/projects.ts'
import { createAgentParts } from '../agent.ts'
import type { Secrets } from '../config/config.ts'
import type { Context } from '../context.ts'
import { createJobHandlers, endExhausted } from '../jobs.ts'
import { ACTOR } from './administration.ts'

const POLL_INTERVAL_MS = 200

/** Resolves when the project is published or publishing has failed. */
export async function syncProject(
  context: Context,
  secrets: Secrets,
  project: Project,
  report: (state: Deployment) => void,
): Promise<Deployment> {
  await context.queue.work(createJobHandlers(context, createAgentParts(context, secrets)), {
    concurrency: 1,
    limitRetrySeconds: 1,
    onExhausted: (job) => endExhausted(context, job),
  })
  const started = await context.database.transaction((tx) =>
    startDeployment(context, tx, {
      organizationId: project.organizationId,
      projectId: project.id,
      actor: ACTOR,
    }),
  )
  return awaitDeployment(context, project, started, report)
}

/** Polls the row until the deployment has ended. */
export async function awaitDeployment(
  context: Pick<Context, 'database'>,
  project: Pick<Project, 'id' | 'organizationId'>,
  started: Deployment,
  report: (state: Deployment) => void = () => {},
  signal?: AbortSignal,
): Promise<Deployment> {
  const scope = { organizationId: project.organizationId, projectId: project.id }
  let state = started
  while (state.status === 'queued' || state.status === 'running') {
    await sleep(POLL_INTERVAL_MS, undefined, { signal })
    state = await getDeployment(context.database.queries, scope, started.deploymentId)
    report(state)
  }
  return state
}
