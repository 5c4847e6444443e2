/** Waiting in tests, however busy the machine is. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OctavoClient } from '../../src/client/client.ts'
import type { Deployment } from '../../src/features/hosting/operations/deployments.ts'

const LOOKS = 9000
const PAUSE_MS = 50

/**
 * For what nothing tells of; answers the first value that is there. The limit is a number of looks and not a time, so that
 * it grows with the machine's load.
 */
export async function until<Value>(
  look: () => Value | Promise<Value>,
  what = 'it',
): Promise<Exclude<Value, false | null | undefined>> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const found = await look()
    if (found !== false && found !== null && found !== undefined)
      return found as Exclude<Value, false | null | undefined>
    await sleep(PAUSE_MS)
  }
  throw new Error(`${what} did not come`)
}

/** A job or a deployment when it is over. */
export function ended<Row extends { status: string }>(read: () => Promise<Row>): Promise<Row> {
  return until(async () => {
    const row = await read()
    return row.status !== 'queued' && row.status !== 'running' && row
  }, 'the end') as Promise<Row>
}

export async function publish(client: OctavoClient, projectId: string): Promise<Deployment> {
  const { deploymentId } = await client.startDeployment(projectId)
  const deployment = await ended(() => client.getDeployment(projectId, deploymentId))
  assert.equal(deployment.status, 'published', JSON.stringify(deployment))
  return deployment
}

/** For work that ends by itself: it has the time of its test, which the runner limits. */
export function patience(): AbortSignal {
  return new AbortController().signal
}
