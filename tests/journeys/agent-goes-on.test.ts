/** Changes of an interrupted turn are never lost: the next turn receives them with the reason and publishes them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { AgentJob } from '../../src/features/agent/operations/agent.ts'
import { retireAgentWork } from '../../src/features/agent/retire-work.ts'
import { setProject } from '../kit/accounts.ts'
import { type AgentScene, finishing, openAgentScene } from '../kit/agent.ts'
import {
  type Behaviour,
  type ChatRequest,
  refuses,
  replies,
  type ScriptedAnswer,
} from '../kit/model-server.ts'
import { until } from '../kit/until.ts'

const PAGE = 'guides/brew.mdx'
const EDIT: ScriptedAnswer = {
  toolCalls: [
    { name: 'edit_file', input: { path: PAGE, oldText: '70 degrees', newText: '100 degrees' } },
    { name: 'plan', input: { items: [{ text: 'Say how long it draws', state: 'open' }] } },
  ],
}
const GO_ON_AND_FINISH: ScriptedAnswer = { toolCalls: [finishing([PAGE])] }
const LOOK: ScriptedAnswer = { toolCalls: [{ name: 'list_files', input: {} }] }

const ASK: ScriptedAnswer = {
  toolCalls: [{ name: 'ask_person', input: { question: 'Black tea alone, or green tea too?' } }],
}

/** Returns the last task message with its notes, and the number of answers since. */
function lastTask({ messages }: ChatRequest): { text: string; answers: number } {
  const index = messages.findLastIndex(({ role, content }) => role === 'user' && /^Task:/.test(content ?? ''))
  const answers = messages.slice(index).filter(({ role }) => role === 'assistant').length
  return { text: messages[index]?.content ?? '', answers }
}

/** Tasks whose model request is left without an answer. */
const hung = new Set<string>()

function behave(request: ChatRequest): Behaviour {
  const { text, answers } = lastTask(request)
  if (/^Task: go on/.test(text)) return replies(GO_ON_AND_FINISH)
  if (/^Task: ask/.test(text)) return replies(answers === 0 ? EDIT : ASK)
  if (answers === 0) return replies(EDIT)
  if (/^Task: fail/.test(text)) return refuses(401, 'no such key')
  if (/^Task: look around/.test(text)) return replies(LOOK)
  return async ({ gone }) => {
    // Notes about other jobs follow the task.
    hung.add(text.split('\n')[0] ?? '')
    await new Promise((resolve) => gone.addEventListener('abort', resolve))
  }
}

let scene: AgentScene
before(async () => {
  scene = await openAgentScene({ script: (request) => behave(request) })
})
after(() => scene[Symbol.asyncDispose]())

async function start(prompt: string): Promise<string> {
  return (await scene.octavo.client.createAgentJob(scene.projectId, { prompt })).id
}

async function goOn(id: string, prompt = 'Task: go on'): Promise<AgentJob> {
  await scene.octavo.client.sendAgentMessage(scene.projectId, id, { prompt })
  return await scene.ended(id)
}

async function assertPublished(job: AgentJob): Promise<void> {
  assert.equal(job.status, 'completed', job.error ?? '')
  assert.equal(job.filesChanged, 1)
  assert.ok(job.prLink)
  assert.match(await scene.repository.git('show', `${job.branch}:${PAGE}`), /100 degrees/)
}

/** Returns the last task message sent to the model. */
function told(): string {
  return lastTask(scene.model?.requests.at(-1) as ChatRequest).text
}

test('a waiting question holds no open turn, sends a notification, and the answer continues from the changes', async () => {
  const { octavo, projectId } = scene
  const { queries } = octavo.node.context.database
  const id = await start('Task: ask before you go on')
  const read = () => octavo.client.getAgentJob(projectId, id)
  await until(async () => (await read()).question !== null)
  const review = await octavo.client.getAgentReview(projectId, id)
  assert.deepEqual([review.state, review.files.map(({ path }) => path)], ['none', [PAGE]])
  const asking = await read()
  assert.deepEqual([asking.status, asking.question], ['active', 'Black tea alone, or green tea too?'])
  await until(async () => {
    const told = await queries
      .selectFrom('agent_job_events')
      .select('data')
      .where('job_id', '=', id)
      .where('type', '=', 'waiting')
      .execute()
    return told.length === 1 && told[0] !== undefined
  })
  const open = await queries
    .selectFrom('agent_job_prompts')
    .select('number')
    .where('job_id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
  assert.deepEqual(open, [], 'no turn is open meanwhile')
  const notified = await queries
    .selectFrom('notification_events')
    .select('kind')
    .where('subject', '=', id)
    .execute()
  assert.deepEqual(notified, [{ kind: 'question_waiting' }])
  const job = await goOn(id)
  await assertPublished(job)
  assert.equal(job.question, null)
})

test('an unanswered question fails the job, and a later message continues it', async () => {
  const { octavo, projectId } = scene
  const { database, retention } = octavo.node.context
  const id = await start('Task: ask before you go on')
  await until(async () => (await octavo.client.getAgentJob(projectId, id)).question !== null)
  const days = (count: number) =>
    database.queries
      .updateTable('agent_jobs')
      .set({ updated_at: sql<Date>`now() - make_interval(days => ${count})` })
      .where('id', '=', id)
      .execute()
  const retire = () => retireAgentWork(database, retention(), new AbortController().signal)
  await days(13)
  await retire()
  assert.equal((await octavo.client.getAgentJob(projectId, id)).status, 'active')
  await days(15)
  await retire()
  const failed = await octavo.client.getAgentJob(projectId, id)
  assert.deepEqual([failed.status, failed.errorCode], ['failed', 'question_unanswered'])
  await assertPublished(await goOn(id))
})

test('with asksBack off, ask_person is not offered and a call to it is refused', async () => {
  const { octavo, projectId } = scene
  await setProject(octavo.node.context.database.queries, projectId, { agent: { asksBack: false } })
  const id = await start('Task: ask before you go on')
  await until(
    () =>
      scene.model?.requests.some(({ messages }) =>
        JSON.stringify(messages).includes('ask_person is not set up'),
      ) === true,
  )
  const request = scene.model?.requests.at(-1)
  assert.ok(!JSON.stringify(request?.tools).includes('ask_person'))
  await octavo.client.cancelAgentJob(projectId, id)
  await setProject(octavo.node.context.database.queries, projectId, { agent: { asksBack: undefined } })
})

test('a failed turn hands its changes and the reason to the next turn', async () => {
  const id = await start('Task: fail after the first edit')
  const failed = await scene.ended(id)
  assert.deepEqual([failed.status, failed.errorCode], ['failed', 'model_key_refused'])
  const review = await scene.octavo.client.getAgentReview(scene.projectId, id)
  assert.deepEqual(
    review.files.map(({ path, change, after }) => [path, change, after?.includes('100 degrees')]),
    [[PAGE, 'modified', true]],
    'work that was not published is seen',
  )
  await assertPublished(await goOn(id))
  assert.match(told(), /ended early\.[\s\S]*<<<UNTRUSTED-[\s\S]*key/)
  assert.match(told(), /guides\/brew\.mdx \(modified\)/)
})

test('a cancelled turn hands its changes to the next turn, even after the base branch moved', async () => {
  const id = await start('Task: hang, first')
  await until(() => hung.has('Task: hang, first'))
  await scene.octavo.client.cancelAgentJob(scene.projectId, id)
  await scene.repository.commit({ 'guides/other.mdx': '---\ntitle: Other\nhidden: true\n---\n\nText.\n' })
  const job = await goOn(id)
  await assertPublished(job)
  assert.match(told(), /The job was cancelled/)
  assert.equal(
    await scene.repository.git('merge-base', 'main', job.branch ?? ''),
    await scene.repository.git('rev-parse', 'main'),
  )
})

test('the agent is shown changes by others to the same lines, and an unresolved conflict is not published', async () => {
  const id = await start('Task: hang, second')
  await until(() => hung.has('Task: hang, second'))
  await scene.octavo.client.cancelAgentJob(scene.projectId, id)
  await scene.repository.commit({
    [PAGE]: '---\ntitle: Brew\n---\n\n## Water\n\nUse soft water of 70 degrees.\n',
  })
  const job = await goOn(id)
  // The script does not resolve the conflict, so nothing is published.
  assert.deepEqual([job.status, job.errorCode], ['failed', 'change_refused'])
  const asked = JSON.stringify(scene.model?.requests.at(-1)?.messages)
  assert.match(
    asked,
    /others changed the same lines in the meantime\.[\s\S]*<<<UNTRUSTED-\w+(?:\n|\\n)guides\/brew\.mdx/,
  )
})

test('messages queued behind a cancelled turn are part of the next one', async () => {
  const id = await start('Task: hang, third')
  await until(() => hung.has('Task: hang, third'))
  await scene.octavo.client.sendAgentMessage(scene.projectId, id, { prompt: 'Also name the pot.' })
  await scene.octavo.client.cancelAgentJob(scene.projectId, id)
  await goOn(id)
  assert.match(told(), /Also name the pot\./)
})

test('a job whose process ended twice without saving waits to run alone, and waiting is not counted as an attempt', async () => {
  const { queries } = scene.octavo.node.context.database
  const first = await start('Task: hang, fourth')
  await until(() => hung.has('Task: hang, fourth'))
  // Simulates two attempts whose processes ended.
  await sql`
    CREATE FUNCTION lost_twice() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN NEW.idle_attempts := 2; RETURN NEW; END'`.execute(queries)
  await sql`
    CREATE TRIGGER lost_twice BEFORE UPDATE ON agent_jobs FOR EACH ROW
      WHEN (OLD.queue_attempt = 0 AND NEW.queue_attempt = 1) EXECUTE FUNCTION lost_twice()`.execute(queries)
  const second = await start('Task: go on alone')
  const rowOf = (id: string) =>
    queries
      .selectFrom('agent_jobs')
      .select(['queue_attempt', 'idle_attempts', 'steps'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  await until(async () => (await rowOf(second)).queue_attempt > 0)
  await sleep(200)
  assert.deepEqual(await rowOf(second), { queue_attempt: 1, idle_attempts: 2, steps: 0 })
  await sql`DROP TRIGGER lost_twice ON agent_jobs`.execute(queries)
  await scene.octavo.client.cancelAgentJob(scene.projectId, first)
  assert.equal((await scene.ended(second)).status, 'completed')
})
