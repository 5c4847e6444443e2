/**
 * Changes by others to a pull request and its target branch, during a turn and between turns. The model is a script
 * that can run side effects before it answers.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { AgentJob } from '../../src/features/agent/operations/agent.ts'
import { type AgentScene, DOCS, openAgentScene, openReviewLink } from '../kit/agent.ts'
import {
  type ChatRequest,
  type ModelServer,
  replies,
  type ScriptedAnswer,
  startModelServer,
} from '../kit/model-server.ts'

const PAGE = 'guides/brew.mdx'
const PAGE_OF = (...lines: string[]) => `---\ntitle: Brew\n---\n\n## Water\n\n${lines.join('\n\n')}\n`

interface ScriptedTurn {
  answers: ScriptedAnswer[]
  /** Runs before the last answer. */
  meanwhile?: () => Promise<unknown>
}

const turns = new Map<string, ScriptedTurn>()
let model: ModelServer
let scene: AgentScene

before(async () => {
  model = await startModelServer((request) => async (exchange) => {
    const { turn, given } = turnOf(request)
    if (given === turn.answers.length - 1) await turn.meanwhile?.()
    const answer = turn.answers[Math.min(given, turn.answers.length - 1)] as ScriptedAnswer
    await replies(answer)(exchange)
  })
  scene = await openAgentScene({
    env: {
      OCTAVO_MODEL: 'openai-compatible:script',
      OCTAVO_MODEL_URL: model.url,
      OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*',
    },
  })
})
after(async () => {
  await scene?.[Symbol.asyncDispose]()
  await model?.[Symbol.asyncDispose]()
})

/** Returns the script of the last task, which may have notes below it, and the number of answers since. */
function turnOf({ messages }: ChatRequest): { turn: ScriptedTurn; given: number } {
  const taskIn = (text: string) =>
    [...turns.keys()].find((task) => text === task || text.startsWith(`${task}\n`))
  const start = messages.findLastIndex(({ role, content }) => role === 'user' && taskIn(content ?? ''))
  const turn = turns.get(taskIn(messages[start]?.content ?? '') ?? '')
  if (turn === undefined) throw new Error('the script has no such task')
  return { turn, given: messages.slice(start).filter(({ role }) => role === 'assistant').length }
}

const edit = (oldText: string, newText: string) => ({
  name: 'edit_file',
  input: { path: PAGE, oldText, newText },
})
const write = (text: string) => ({ name: 'write_file', input: { path: PAGE, text } })
const finish = (title: string, more: object = {}) => ({
  name: 'finish',
  input: {
    title,
    summary: `${title}.`,
    reasons: [{ path: PAGE, reason: `${title}, said the task.` }],
    ...more,
  },
})

async function start(prompt: string, turn: ScriptedTurn): Promise<AgentJob> {
  turns.set(prompt, turn)
  const { id } = await scene.octavo.client.createAgentJob(scene.projectId, { prompt })
  const job = await scene.ended(id)
  assert.equal(job.status, 'completed', job.error ?? '')
  return job
}

async function message(id: string, prompt: string, turn: ScriptedTurn): Promise<AgentJob> {
  turns.set(prompt, turn)
  await scene.octavo.client.sendAgentMessage(scene.projectId, id, { prompt })
  return await scene.ended(id)
}

const shown = (branch: string | null) => scene.repository.git('show', `${branch}:${PAGE}`)

test('changes on the target branch are merged into the turn, and the agent resolves conflicts it is shown', async () => {
  const { octavo, repository, projectId } = scene
  const job = await start('Hotter.', {
    answers: [{ toolCalls: [edit('70 degrees', '100 degrees')] }, { toolCalls: [finish('Hotter water')] }],
  })
  await repository.commit({
    [PAGE]: PAGE_OF('Use soft water of 70 degrees.'),
    'index.mdx': DOCS['index.mdx'].replace('All about', 'Everything about'),
  })
  await assert.rejects(octavo.client.acceptAgentJob(projectId, job.id), /conflicts with newer commits/)

  const again = await message(job.id, 'Bring it up to date.', {
    answers: [
      { toolCalls: [finish('Up to date too soon', { reasons: [] })] },
      { toolCalls: [{ name: 'read_file', input: { path: PAGE } }] },
      { toolCalls: [write(PAGE_OF('Use soft water of 100 degrees.'))] },
      { toolCalls: [finish('Up to date')] },
    ],
  })
  assert.equal(again.status, 'completed', again.error ?? '')
  const asked = JSON.stringify(model.requests.at(-1)?.messages)
  assert.match(
    asked,
    /others changed the same lines in the meantime\.[\s\S]*<<<UNTRUSTED-\w+(?:\n|\\n)guides\/brew\.mdx/,
  )
  assert.match(asked, /<<<<<<< .*Use water of 100 degrees.*=======.*Use soft water of 70 degrees.*>>>>>>> /)
  assert.match(asked, /unresolved merge conflict/)
  assert.equal(await shown(again.branch), PAGE_OF('Use soft water of 100 degrees.').trim())
  assert.match(await repository.git('show', `${again.branch}:index.mdx`), /Everything about/)
  assert.doesNotMatch(await repository.git('log', '-p', again.branch ?? ''), /^\+<{7} /m)
  const review = await octavo.client.getAgentReview(projectId, job.id)
  assert.deepEqual(
    review.files.map(({ path }) => path),
    [PAGE],
    'what came into the target is taken for a part of the change',
  )
  assert.equal(review.job.title, 'Hotter water')
  assert.match(review.files[0]?.reason ?? '', /Hotter water, said the task\. Up to date, said the task\./)
  assert.match(review.summary ?? '', /Hotter water\.\n\nUp to date\./)
  await octavo.client.acceptAgentJob(projectId, job.id)
  assert.match(await repository.git('show', `main:${PAGE}`), /soft water of 100/)
})

test('a message after the merge opens a new branch and pull request and leaves the merged branch unchanged', async () => {
  const { octavo, repository, projectId } = scene
  await repository.commit({ [PAGE]: PAGE_OF('Use water of 70 degrees.') })
  const first = await start('Cooler.', {
    answers: [{ toolCalls: [edit('70 degrees', '60 degrees')] }, { toolCalls: [finish('Cooler water')] }],
  })
  await octavo.client.acceptAgentJob(projectId, first.id)
  const dead = await repository.git('rev-parse', first.branch ?? '')
  const second = await message(first.id, 'Also say how long.', {
    answers: [
      { toolCalls: [edit('60 degrees.', '60 degrees.\n\nFor a minute.')] },
      { toolCalls: [finish('Say how long')] },
    ],
  })
  assert.equal(second.status, 'completed', second.error ?? '')
  assert.match(
    JSON.stringify(model.requests.at(-1)?.messages),
    /pull request of the previous turns was merged/,
  )
  assert.notEqual(second.branch, first.branch)
  assert.equal(await repository.git('rev-parse', first.branch ?? ''), dead)
  assert.equal(
    await repository.git('rev-parse', `${second.branch}^`),
    await repository.git('rev-parse', 'main'),
  )
  assert.equal(second.title, 'Say how long')
  assert.equal(second.prLink, first.prLink)
  assert.deepEqual(
    second.pullRequests.map(({ branch, state }) => [branch, state]),
    [
      [first.branch, 'merged'],
      [second.branch, 'open'],
    ],
  )
  await octavo.client.declineAgentJob(projectId, first.id)
  const third = await message(first.id, 'Say it otherwise.', {
    answers: [
      { toolCalls: [edit('60 degrees.', '60 degrees.\n\nFor two minutes.')] },
      { toolCalls: [finish('Say it otherwise')] },
    ],
  })
  assert.equal(third.status, 'completed', third.error ?? '')
  assert.deepEqual(
    third.pullRequests.map(({ state }) => state),
    ['merged', 'closed', 'open'],
  )
  assert.doesNotMatch(await shown(third.branch), /For a minute/)
})

test('a merge during a turn opens a new pull request with only the work of that turn', async () => {
  const { repository } = scene
  await repository.commit({ [PAGE]: PAGE_OF('Use water of 70 degrees.') })
  const first = await start('Warmer.', {
    answers: [{ toolCalls: [edit('70 degrees', '80 degrees')] }, { toolCalls: [finish('Warmer water')] }],
  })
  const second = await message(first.id, 'And the pot.', {
    answers: [
      { toolCalls: [edit('80 degrees.', '80 degrees.\n\nWarm the pot.')] },
      { toolCalls: [finish('Warm the pot')] },
    ],
    meanwhile: () => repository.git('merge', '--quiet', '--no-ff', '-m', 'Merge', first.branch ?? ''),
  })
  assert.equal(second.status, 'completed', second.error ?? '')
  assert.deepEqual(
    second.pullRequests.map(({ branch, state }) => [branch, state]),
    [
      [first.branch, 'merged'],
      [second.branch, 'open'],
    ],
  )
  const lines = await repository.git('diff', '-U0', 'main', second.branch ?? '')
  assert.match(lines, /^\+Warm the pot\.$/m)
  assert.doesNotMatch(lines, /^[+-].*80 degrees/m)
})

test('a merge recorded by another process during the check opens a new pull request', async () => {
  const { repository, octavo } = scene
  await repository.commit({ [PAGE]: PAGE_OF('Use water of 70 degrees.') })
  const first = await start('Milder still.', {
    answers: [{ toolCalls: [edit('70 degrees', '65 degrees')] }, { toolCalls: [finish('Milder still')] }],
  })
  // Simulates a pull request poll that writes its state just before the check writes its result.
  const { queries } = octavo.node.context.database
  await sql`
    CREATE FUNCTION merged_meanwhile() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.pull_request_state := 'merged'; RETURN NEW; END $$`.execute(queries)
  await sql`
    CREATE TRIGGER merged_meanwhile BEFORE UPDATE ON agent_jobs FOR EACH ROW
      WHEN (OLD.phase = 'work' AND NEW.phase = 'publish' AND NEW.pull_request_state = 'open')
      EXECUTE FUNCTION merged_meanwhile()`.execute(queries)
  const second = await message(first.id, 'And the cup.', {
    answers: [
      { toolCalls: [edit('65 degrees.', '65 degrees.\n\nWarm the cup.')] },
      { toolCalls: [finish('Warm the cup')] },
    ],
    meanwhile: () => repository.git('merge', '--quiet', '--no-ff', '-m', 'Merge', first.branch ?? ''),
  }).finally(() => sql`DROP FUNCTION merged_meanwhile CASCADE`.execute(queries))
  assert.equal(second.status, 'completed', second.error ?? '')
  assert.deepEqual(
    second.pullRequests.map(({ branch, state }) => [branch, state]),
    [
      [first.branch, 'merged'],
      [second.branch, 'open'],
    ],
  )
  assert.match(await repository.git('diff', '-U0', 'main', second.branch ?? ''), /^\+Warm the cup\.$/m)
})

test('commits pushed by a reviewer during a turn survive, and the turn commits on top of them', async () => {
  const { repository } = scene
  await repository.commit({ [PAGE]: PAGE_OF('Use water of 70 degrees.', 'Drink.') })
  const first = await start('Boil it.', {
    answers: [{ toolCalls: [edit('70 degrees', '90 degrees')] }, { toolCalls: [finish('Boiling water')] }],
  })
  const second = await message(first.id, 'And stir.', {
    answers: [{ toolCalls: [edit('90 degrees.', '95 degrees.')] }, { toolCalls: [finish('Stir')] }],
    meanwhile: async () => {
      await repository.git('checkout', '--quiet', first.branch ?? '')
      await repository.commit({ [PAGE]: PAGE_OF('Use water of 90 degrees.', 'Drink slowly.') })
      await repository.git('checkout', '--quiet', 'main')
    },
  })
  assert.equal(second.status, 'completed', second.error ?? '')
  assert.equal(second.branch, first.branch)
  assert.equal(await shown(second.branch), PAGE_OF('Use water of 95 degrees.', 'Drink slowly.').trim())
  assert.equal(await repository.git('rev-list', '--count', `main..${second.branch}`), '3')
})

test('a risky change lists its risks in the review and is accepted only with a second confirmation', async () => {
  const { octavo, repository, projectId } = scene
  await repository.commit({ [PAGE]: PAGE_OF('Use water of 70 degrees.') })
  const job = await start('Add the counter.', {
    answers: [
      { toolCalls: [edit('70 degrees.', '70 degrees.\n\n<iframe src="https://count.example/x"></iframe>')] },
      { toolCalls: [finish('Add the counter')] },
    ],
  })
  const review = await octavo.client.getAgentReview(projectId, job.id)
  assert.deepEqual(
    review.risks.map(({ kind, path, line }) => [kind, path, line]),
    [
      ['frame', PAGE, 9],
      ['host', PAGE, 9],
    ],
  )
  assert.equal(review.needsSecondYes, true)
  const linked = await openReviewLink(octavo.url, job.prLink)
  assert.deepEqual(linked.review.risks, review.risks)
  await assert.rejects(octavo.client.acceptAgentJob(projectId, job.id), /second confirmation/)
  const accepted = await octavo.client.acceptAgentJob(projectId, job.id, { confirmRisks: true })
  assert.equal(accepted.pullRequests.at(-1)?.state, 'merged')
})

test('a v1 agent session works on the branch named in the request', async () => {
  const { octavo, repository, projectId } = scene
  await repository.commit({ [PAGE]: PAGE_OF('Use water of 70 degrees.') })
  const [prompt, branch] = ['Milder.', 'octavo/milder-by-people']
  turns.set(prompt, {
    answers: [{ toolCalls: [edit('70 degrees', '55 degrees')] }, { toolCalls: [finish('Milder water')] }],
  })
  const response = await octavo.fetch(`/v1/agent/${projectId}/job`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${octavo.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: prompt }], branch }),
  })
  assert.equal(response.headers.get('x-branch-name'), branch)
  // The stream ends with the job.
  assert.match(await response.text(), /event: check/)
  const job = await octavo.client.getAgentJob(projectId, response.headers.get('x-session-id') ?? '')
  assert.deepEqual([job.status, job.branch], ['completed', branch], job.error ?? '')
  assert.match(await shown(branch), /55 degrees/)
})
