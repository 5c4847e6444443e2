/**
 * Kills two concurrent automation schedulers with SIGKILL at random moments. Each due automation gets exactly one run,
 * with one job and one queue entry, and nothing is processed twice.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AutomationScene, openAutomationScene } from '../automations/automation-scene.ts'
import { addFeedback } from '../http/agent-jobs.ts'
import { faultRounds, IS_WHOLE } from '../kit/whole-run.ts'

const ROUNDS = faultRounds(1)
/** Per project; 49 is one below the maximum. */
const SCHEDULES = IS_WHOLE ? 49 : 12

let scene: AutomationScene
before(async () => {
  scene = await openAutomationScene()
})
after(() => scene[Symbol.asyncDispose]())

async function startLooking(): Promise<ChildProcess> {
  const child = fork(new URL('../automations/look-process.ts', import.meta.url), [scene.api.database.url])
  await once(child, 'message')
  return child
}

async function makeDue(): Promise<void> {
  await scene.api.database.queries
    .updateTable('automations')
    .set({ look_at: new Date(Date.now() - 1000) })
    .execute()
}

async function countDue(): Promise<number> {
  const rows = await scene.api.database.queries
    .selectFrom('automations')
    .select('id')
    .where('look_at', '<=', new Date())
    .execute()
  return rows.length
}

async function killAtRandom(looking: ChildProcess): Promise<void> {
  await sleep(Math.random() * 150)
  looking.kill('SIGKILL')
  await once(looking, 'exit')
}

test(`each due automation starts exactly one job despite kills, ${ROUNDS === 1 ? 'in one round' : `in ${ROUNDS} rounds`}`, async () => {
  const { automationId: watching } = await scene.create({ trigger: { kind: 'feedback', count: 1 } })
  await Promise.all(Array.from({ length: SCHEDULES }, (_, index) => scene.create({ name: `n ${index}` })))
  for (let round = 1; round <= ROUNDS; round++) {
    const entries = await addFeedback(scene.api, scene.api.acme, [`entry of round ${round}`])
    await makeDue()
    // Complete the jobs of the previous round, so that each run starts a new one.
    await scene.api.database.queries.updateTable('agent_jobs').set({ status: 'completed' }).execute()
    do {
      const looking = await Promise.all([startLooking(), startLooking()])
      await Promise.all(looking.map(killAtRandom))
    } while ((await countDue()) > 0)
    await assertOnce(round, watching, entries)
  }
})

async function assertOnce(round: number, watching: string, entries: readonly string[]): Promise<void> {
  const { queries } = scene.api.database
  const runs = await queries
    .selectFrom('automation_runs')
    .select(['automation_id', 'job_id', 'state'])
    .execute()
  const counts = Map.groupBy(runs, ({ automation_id: id }) => id)
  assert.equal(counts.size, SCHEDULES + 1)
  for (const [id, own] of counts) assert.equal(own.length, round, id)
  assert.equal(new Set(runs.map(({ job_id: id }) => id)).size, runs.length)
  const jobs = await queries.selectFrom('agent_jobs').select(['id', 'queue_job_id']).execute()
  assert.equal(jobs.length, runs.length)
  assert.equal(new Set(jobs.map(({ queue_job_id: id }) => id)).size, runs.length)
  const taken = await queries
    .selectFrom('agent_job_feedback as link')
    .innerJoin('agent_jobs as job', 'job.id', 'link.job_id')
    .select(['link.feedback_id'])
    .where('job.automation_id', '=', watching)
    .where('link.feedback_id', 'in', entries)
    .execute()
  assert.equal(taken.length, entries.length)
}
