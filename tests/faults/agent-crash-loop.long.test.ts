/**
 * Kills a worker again and again right after it receives jobs. Jobs that had not started work survive, and complete
 * once a worker stays alive. OCTAVO_FAULT_ROUNDS sets the number of kills. There are twice as many jobs.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFleet, taskPrompt } from '../kit/agent-fleet.ts'
import { faultRounds } from '../kit/whole-run.ts'

const KILLS = faultRounds(5)
const JOBS = 2 * KILLS
/** Longer than a job takes to start, shorter than a job. */
const LONGEST_LIFE_MS = 1500

test('no job is lost when workers are killed before starting it', async (t) => {
  await using fleet = await openFleet({ forges: [] })
  const { octavo, database } = fleet
  const { projectId } = fleet.repositories[0] ?? assert.fail('there is a repository')
  const ids: string[] = []
  for (let task = 1; task <= JOBS; task++)
    ids.push((await octavo.client.createAgentJob(projectId, { prompt: taskPrompt(task, 1) })).id)
  /** Jobs that had started work when a worker was killed. */
  const begun = new Set<string>()
  for (let kill = 0; kill < KILLS; kill++) {
    const { promise: hasJobs, resolve } = Promise.withResolvers<void>()
    const worker = fleet.startWorker(({ event, job }) => {
      if (event === 'job.started' && job === 'agent.run') resolve()
    })
    await hasJobs
    await sleep(Math.random() * LONGEST_LIFE_MS)
    await worker.kill({ alone: true })
    const rows = await database.queries
      .selectFrom('agent_jobs')
      .select('id')
      .where((where) => where.or([where('idle_attempts', '>', 0), where('steps', '>', 0)]))
      .execute()
    for (const { id } of rows) begun.add(id)
  }
  const last = fleet.startWorker()
  const jobs = await Promise.all(ids.map((id) => fleet.ended(projectId, id)))
  await last.kill()
  const lost = jobs.filter(({ errorCode }) => errorCode === 'worker_lost')
  t.diagnostic(`${KILLS} kills, ${JOBS} jobs, ${begun.size} had begun, ${lost.length} ended worker_lost`)
  assert.deepEqual(
    jobs.filter(({ id, status }) => status !== 'completed' && !begun.has(id)),
    [],
  )
  assert.deepEqual(
    jobs.filter(({ status, errorCode }) => status !== 'completed' && errorCode !== 'worker_lost'),
    [],
  )
})
