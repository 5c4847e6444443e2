/** Turn budget: reported during the turn, enforced, and a turn that exhausts it publishes its work as a draft. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addProject } from '../../src/app/operator/administration.ts'
import type { AgentJob } from '../../src/features/agent/operations/agent.ts'
import { type AgentScene, finishing, openAgentScene } from '../kit/agent.ts'
import { startForgeServer } from '../kit/forge-servers/start-forge-server.ts'
import { type Behaviour, type ChatRequest, replies, type ScriptedAnswer } from '../kit/model-server.ts'
import { until } from '../kit/until.ts'

const PAGE = 'guides/brew.mdx'
const write = (path: string, text = '---\ntitle: New\nhidden: true\n---\n\nText.\n') => ({
  name: 'write_file',
  input: { path, text },
})
const edit = (oldText: string, newText: string): ScriptedAnswer => ({
  toolCalls: [{ name: 'edit_file', input: { path: PAGE, oldText, newText } }],
})
const plan: ScriptedAnswer = {
  toolCalls: [
    {
      name: 'plan',
      input: {
        items: [
          { text: 'The number', state: 'done' },
          { text: 'Name the pot', state: 'open' },
        ],
      },
    },
  ],
}
const look: ScriptedAnswer = { toolCalls: [{ name: 'list_files', input: {} }] }

const SCRIPTS: Record<string, readonly ScriptedAnswer[]> = {
  'Never finish.': [plan, edit('70 degrees', '100 degrees'), look, look, look, look],
  'Break it and never finish.': [
    edit('## Water', '[gone](/nowhere)\n\n## Water'),
    look,
    look,
    look,
    look,
    look,
  ],
  'Write too many files.': [
    { toolCalls: [write('a.mdx'), write('b.mdx'), write('c.mdx')] },
    { toolCalls: [finishing(['a.mdx', 'b.mdx'], 'Write two pages')] },
  ],
  'Is it done?': [{ toolCalls: [finishing([PAGE], 'Boil the water')] }],
  'Look around only.': [look, look, look, look, look, look],
}

function behave({ messages }: ChatRequest): Behaviour {
  // Octavo may append notes below the task.
  const taskIn = (content: string | null | undefined) => content?.split('\n', 1)[0] ?? ''
  const index = messages.findLastIndex(({ role, content }) => role === 'user' && taskIn(content) in SCRIPTS)
  const answers = messages.slice(index).filter(({ role }) => role === 'assistant').length
  const script = SCRIPTS[taskIn(messages[index]?.content)] ?? []
  return replies(script[answers] ?? look)
}

const DOCS_JSON = JSON.stringify({
  navigation: { groups: [{ group: 'Start', pages: ['index', 'guides/brew'] }] },
})
const BREW = '---\ntitle: Brew\n---\n\n## Water\n\nUse water of 70 degrees.\n'

let scene: AgentScene
let forge: Awaited<ReturnType<typeof startForgeServer>>
let forgeProject: string
before(async () => {
  forge = await startForgeServer('gitlab', {
    files: { 'docs.json': DOCS_JSON, 'index.mdx': '# Tea\n', [PAGE]: BREW },
  })
  const { host } = new URL(forge.address)
  scene = await openAgentScene({
    script: behave,
    env: {
      OCTAVO_AGENT_STEPS: '5',
      OCTAVO_AGENT_FILES: '2',
      OCTAVO_FORGES: `${host}=gitlab`,
      OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*',
      OCTAVO_GIT_TOKENS: `${host}=${forge.token}`,
      OCTAVO_GIT_ALLOW_HTTP: 'true',
    },
  })
  const { octavo } = scene
  const project = await addProject(octavo.node.context, {
    organizationId: octavo.organizationId,
    name: 'At a forge',
    domains: ['forge.example.com'],
    source: { kind: 'git', repository: forge.address },
  })
  forgeProject = project.id
})
after(async () => {
  await scene[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})

async function run(projectId: string, prompt: string): Promise<AgentJob> {
  const { client } = scene.octavo
  const { id } = await client.createAgentJob(projectId, { prompt })
  return await ended(projectId, id)
}

async function ended(projectId: string, id: string): Promise<AgentJob> {
  return until(async () => {
    const job = await scene.octavo.client.getAgentJob(projectId, id)
    return job.status !== 'active' && job
  }, 'the end of the job')
}

/** Returns whether the job has previews of its pages before and after the change. */
async function previewsOf(id: string): Promise<boolean[]> {
  const row = await scene.octavo.node.context.database.queries
    .selectFrom('agent_jobs')
    .select(['before_manifest', 'after_manifest'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return [row.before_manifest !== null, row.after_manifest !== null]
}

/** Returns the tool results in the last request to the model. */
function told(): string[] {
  return (scene.model?.requests.at(-1)?.messages ?? []).flatMap(({ role, content }) =>
    role === 'tool' ? [content ?? ''] : [],
  )
}

test('a turn that runs out of steps publishes a draft that lists what is missing', async () => {
  const job = await run(forgeProject, 'Never finish.')
  assert.equal(job.status, 'completed', job.error ?? '')
  assert.match(job.unfinished ?? '', /limit of 5 steps.*Name the pot.*no new problem/s)
  assert.match(job.title ?? '', /^Unfinished: Never finish\./)
  const [request] = forge.requests
  assert.match(request?.title ?? '', /^Draft: Unfinished/)
  assert.match(request?.body ?? '', /Not finished.*Name the pot/s)
  assert.doesNotMatch(request?.body ?? '', /causes no new problems/m)
  assert.match(await forge.git('show', `${job.branch}:${PAGE}`), /100 degrees/)
  assert.deepEqual(await previewsOf(job.id), [true, true])
  assert.match(told()[0] ?? '', /Remaining in this turn: 4 steps/)
  assert.match(told().at(-1) ?? '', /Remaining in this turn: 1 step,.*call `finish`/)

  await scene.octavo.client.sendAgentMessage(forgeProject, job.id, { prompt: 'Is it done?' })
  const done = await ended(forgeProject, job.id)
  assert.equal(done.status, 'completed', done.error ?? '')
  assert.equal(done.unfinished, null)
  assert.equal(forge.requests[0]?.title, 'Boil the water', 'what is done is a draft still')
  assert.doesNotMatch(forge.requests[0]?.body ?? '', /Not finished/)
  assert.equal(forge.requests.length, 1)
})

test('an unfinished turn lists the problems found by the check and renders no previews', async () => {
  const job = await run(scene.projectId, 'Break it and never finish.')
  assert.equal(job.status, 'completed', job.error ?? '')
  assert.match(job.unfinished ?? '', /The check of the site found:.*\/nowhere/s)
  assert.deepEqual(await previewsOf(job.id), [false, false], 'nothing is rendered of what is broken')
})

test('a file beyond the limit is refused, and the job continues', async () => {
  const job = await run(scene.projectId, 'Write too many files.')
  assert.equal(job.status, 'completed', job.error ?? '')
  assert.equal(job.filesChanged, 2)
  assert.equal(job.unfinished, null)
  assert.match(told().at(-1) ?? '', /at most 2 files/)
})

test('a turn that reaches a limit without a change fails with limit_reached and names the limit', async () => {
  const job = await run(scene.projectId, 'Look around only.')
  assert.deepEqual([job.status, job.errorCode, job.unfinished], ['failed', 'limit_reached', null])
  assert.match(job.error ?? '', /limit of 5 steps/)
})

test('a change refused by the forge is published later without calling the model', async () => {
  const { client } = scene.octavo
  forge.fault = 'forbidden'
  const failed = await run(forgeProject, 'Write too many files.')
  assert.deepEqual([failed.status, failed.errorCode, failed.prLink], ['failed', 'forge_refused', null])
  forge.fault = null
  const asked = scene.model?.requests.length
  await client.publishAgentJob(forgeProject, failed.id)
  const job = await ended(forgeProject, failed.id)
  assert.deepEqual([job.status, job.filesChanged], ['completed', 2], job.error ?? '')
  assert.ok(job.prLink)
  assert.equal(scene.model?.requests.length, asked)
  await assert.rejects(client.publishAgentJob(forgeProject, failed.id), /no change to publish/)
})
