/** Waiting in tests, with one shared time limit that grows with the load of the machine. */
import assert from 'node:assert/strict'
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OctavoClient } from '../../src/client/client.ts'
import type { Deployment } from '../../src/features/hosting/operations/deployments.ts'

const PATIENCE_MS = 90_000
const MOST_FACTOR = 4
const FIRST_PAUSE_MS = 5
const PAUSE_MS = 50

/** Factor by which operations may take longer than on an idle machine. */
export function loadFactor(): number {
  return Math.min(MOST_FACTOR, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()))
}

export function patienceMs(): number {
  return PATIENCE_MS * loadFactor()
}

/** Polls for something that emits no event, until `look` returns a value other than false, null or undefined. */
export async function until<Value>(
  look: () => Value | Promise<Value>,
  what = String(look),
): Promise<Exclude<Value, false | null | undefined>> {
  const began = performance.now()
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(PAUSE_MS, pause * 2)) {
    const found = await look()
    if (found !== false && found !== null && found !== undefined)
      return found as Exclude<Value, false | null | undefined>
    const waited = performance.now() - began
    if (waited > patienceMs()) throw new Error(`Not after ${Math.round(waited / 1000)} s: ${what}`)
    await sleep(pause)
  }
}

/** Waits until a job or a deployment has ended. */
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

/** Returns a signal that aborts work which takes longer than anything in a test may take. */
export function patience(what = 'the work that a test waits for'): AbortSignal {
  const controller = new AbortController()
  const began = performance.now()
  const timer = setInterval(() => {
    const waited = performance.now() - began
    if (waited < patienceMs()) return
    clearInterval(timer)
    controller.abort(new Error(`Not over after ${Math.round(waited / 1000)} s: ${what}`))
  }, 1000).unref()
  return controller.signal
}
