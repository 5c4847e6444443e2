/**
 * Runs whole agent jobs against every kind of misbehaving model server, always or only for the first answer. Each job
 * must end by itself with the expected status and message, and never expose the model's key.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AgentJob } from '../../src/features/agent/operations/agent.ts'
import { type Fleet, type FleetRepository, MODEL_KEY, openFleet } from '../kit/agent-fleet.ts'
import { MISBEHAVIOURS, type Misbehaviour, type MisbehaviourName } from '../kit/model-misbehaviours.ts'
import { type Behaviour, type ChatRequest, replies } from '../kit/model-server.ts'
import { IS_WHOLE, sampleOf } from '../kit/whole-run.ts'
import type { WorkerProcess } from '../kit/worker-process.ts'

const PATIENCE_SECONDS = 10
/** Time limit for jobs that nothing else ends. */
const SHORT_MINUTES = 0.1
const STEPS = 10
const AT_ONCE = 24

let fleet: Fleet
let worker: WorkerProcess
/** Its jobs are limited to `SHORT_MINUTES`. */
let hurried: FleetRepository
let patient: FleetRepository
const asked = new Map<string, number>()

before(async () => {
  fleet = await openFleet({
    behave: misbehave,
    env: {
      OCTAVO_AGENT_PATIENCE: String(PATIENCE_SECONDS),
      OCTAVO_AGENT_STEPS: String(STEPS),
      OCTAVO_AGENT_MINUTES: '2',
      // Long enough for a busy machine.
      OCTAVO_MODEL_WAIT: '6',
      OCTAVO_WORKERS: String(AT_ONCE),
    },
  })
  ;[hurried, patient] = fleet.repositories.slice(1) as [FleetRepository, FleetRepository]
  await fleet.database.queries
    .updateTable('projects')
    .set({ agent: JSON.stringify({ minutes: SHORT_MINUTES }) })
    .where('id', '=', hurried.projectId)
    .execute()
  worker = fleet.startWorker()
})
after(async () => {
  await worker.kill()
  await fleet[Symbol.asyncDispose]()
})

const FINISH = {
  name: 'finish',
  input: { title: 'Nothing to do', summary: 'All is well.', reasons: [] },
}

function misbehave({ messages }: ChatRequest): Behaviour {
  const prompt = messages.find(({ role }) => role === 'user')?.content ?? ''
  const [, when, name = ''] = /^(Always|At first): (.*)$/.exec(prompt) ?? []
  const count = (asked.get(prompt) ?? 0) + 1
  asked.set(prompt, count)
  if (when === 'At first' && count > 1) return replies({ toolCalls: [FINISH] })
  return MISBEHAVIOURS[name as MisbehaviourName].behave
}

async function run(when: 'Always' | 'At first', name: string, { becomes }: Misbehaviour): Promise<AgentJob> {
  const { projectId } = becomes === 'endless' ? hurried : patient
  const { id } = await fleet.octavo.client.createAgentJob(projectId, { prompt: `${when}: ${name}` })
  return await fleet.ended(projectId, id)
}

/** Expected job error by kind of bad answer, when every answer is bad. */
const SENTENCES: Record<string, RegExp> = {
  busy: /^The model server at \S+ is busy/,
  unreachable: /^The model server at \S+ (cannot be reached|sent nothing for|stopped in the middle|failed)/,
  credentials_refused: /^The model server at \S+ rejects the key \(40[13]\). Check it: “[^“]*\[key\]/,
  model_missing: /^The model server at \S+ does not have the model stand-in/,
  too_long: /^The conversation is too long for the model stand-in/,
  refused: /^The model server at \S+ (rejects|requires payment|redirects)/,
  nonsense: /sent an invalid response|returned an empty answer|sent an invalid tool call|without an answer/,
  too_large: /sent a response of more than \d+ bytes/,
  stop: /^The model stopped without finishing the job\. Its last message: “/,
  length: /^The model stopped without finishing the job\. Its last message: “/,
  tool_calls: /^The model is repeating itself: it called .+ 8 times in a row with the same input\.$/,
  filtered: /^The model's provider refused to answer/,
  endless: /^The job reached its limit of 0\.1 minutes before it was done\.$/,
}

function kindOf({ becomes }: Misbehaviour): string {
  if (becomes === 'endless') return 'endless'
  if ('error' in becomes) return becomes.error
  return becomes.finish === 'refused' ? 'filtered' : becomes.finish
}

/** Kinds where a single bad answer ends the job, because a retry would not help or not be in time. */
const FINAL = ['credentials_refused', 'model_missing', 'refused', 'too_large', 'filtered', 'endless']

const FINAL_ONES = ['429 with a wait of a year', 'four hundred calls at once']

const isFinal = (name: string, misbehaviour: Misbehaviour) =>
  FINAL.includes(kindOf(misbehaviour)) || FINAL_ONES.includes(name)

const ALL = Object.entries(MISBEHAVIOURS) as [MisbehaviourName, Misbehaviour][]
/** A short run tests each misbehavior either always or at first, not both. */
const ALWAYS = sampleOf(ALL, 2)
const AT_FIRST = IS_WHOLE ? ALL : ALL.filter((one) => !ALWAYS.includes(one))

describe('a job whose model server always misbehaves', { concurrency: AT_ONCE }, () => {
  for (const [name, misbehaviour] of ALWAYS) {
    test(`${name}: the job fails with ${kindOf(misbehaviour)}`, async () => {
      const job = await run('Always', name, misbehaviour)
      assert.equal(job.status, 'failed')
      assert.match(job.error ?? '', SENTENCES[kindOf(misbehaviour)] ?? /never/)
      assert.ok((job.error ?? '').length < 700)
      assert.equal(job.prLink, null)
    })
  }
})

describe('a job whose model server misbehaves in its first response', { concurrency: AT_ONCE }, () => {
  for (const [name, misbehaviour] of AT_FIRST) {
    const status = isFinal(name, misbehaviour) ? 'failed' : 'completed'
    test(`${name}: the job is ${status}`, async () => {
      const job = await run('At first', name, misbehaviour)
      assert.equal(job.status, status, job.error ?? '')
      if (status === 'failed') assert.match(job.error ?? '', SENTENCES[kindOf(misbehaviour)] ?? /never/)
      else assert.equal(job.title, 'Nothing to do')
    })
  }
})

test('the model key is in no table row, event or log line, and the worker stays alive', async () => {
  const { rows: tables } = await fleet.database.pool.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_schema IN ('public', 'pgboss') AND table_type = 'BASE TABLE'`,
  )
  assert.ok(tables.length > 20)
  const pieces = [MODEL_KEY.slice(0, 12), MODEL_KEY.slice(-12)]
  for (const { name } of tables) {
    const { rows } = await fleet.database.pool.query<{ row: string }>(
      `SELECT t::text AS row FROM ${name} AS t`,
    )
    const telling = rows.filter(({ row }) => pieces.some((piece) => row.includes(piece)))
    assert.deepEqual(telling, [], name)
  }
  assert.ok(fleet.log.length > ALL.length)
  const odd = fleet.log.filter(
    (line) => !line.startsWith('{') || pieces.some((piece) => line.includes(piece)),
  )
  assert.deepEqual(odd, [])
  assert.deepEqual(fleet.model.faults, [])
  assert.ok(worker.isAlive())
})

test('no job runs longer than its time limit', async (t) => {
  const { rows } = await fleet.database.pool.query<{ seconds: number; hurried: boolean }>(
    `SELECT extract(epoch FROM updated_at - turn_started_at)::float AS seconds, project_id = $1 AS hurried
       FROM agent_jobs ORDER BY 1 DESC`,
    [hurried.projectId],
  )
  const longest = rows.find((row) => !row.hurried)?.seconds ?? 0
  t.diagnostic(`${rows.length} jobs; the longest took ${longest.toFixed(1)} s`)
  assert.equal(rows.length, ALWAYS.length + AT_FIRST.length)
  assert.ok(longest < 120)
})
