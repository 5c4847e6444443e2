/** Concurrent jobs of one site see each other's changes, and their pull requests list the overlaps. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addProject } from '../../src/app/operator/administration.ts'
import { followAgentJob } from '../../src/client/follow-agent-job.ts'
import type { AgentJob } from '../../src/features/agent/operations/agent.ts'
import { DOCS, finishing } from '../kit/agent.ts'
import { type ForgeServer, startForgeServer } from '../kit/forge-servers/start-forge-server.ts'
import { type ModelServer, replies, startModelServer } from '../kit/model-server.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'

const PAGE = 'guides/brew.mdx'
const edit = (newText: string) => ({
  name: 'edit_file',
  input: { path: PAGE, oldText: '70 degrees', newText },
})

const opened = new AsyncDisposableStack()
/** First request to the model by task. */
const told = new Map<string, string>()
const firstAtWork = Promise.withResolvers<void>()
const secondHasBegun = Promise.withResolvers<void>()
let forge: ForgeServer
let model: ModelServer
let octavo: TestNode
let projectId: string

before(async () => {
  forge = opened.use(await startForgeServer('gitea', { files: DOCS }))
  model = opened.use(
    await startModelServer(({ messages }) => async (exchange) => {
      const task = messages.find(({ role }) => role === 'user')?.content ?? ''
      const name = task.split('\n', 1)[0] ?? ''
      const given = messages.filter(({ role }) => role === 'assistant').length
      if (given === 0) told.set(name, JSON.stringify(messages))
      if (name === 'second') secondHasBegun.resolve()
      if (name === 'first' && given === 1) {
        firstAtWork.resolve()
        await secondHasBegun.promise
      }
      const call = given === 0 ? edit(`${name} degrees`) : finishing([PAGE], `By the ${name}`)
      await replies({ toolCalls: [call] })(exchange)
    }),
  )
  octavo = opened.use(
    await startTestNode({
      OCTAVO_MODEL: 'openai-compatible:script',
      OCTAVO_MODEL_URL: model.url,
      OCTAVO_FORGES: `${forge.host}=gitea`,
      OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*',
      OCTAVO_GIT_TOKENS: `${forge.host}=${forge.token}`,
      OCTAVO_GIT_ALLOW_HTTP: 'true',
    }),
  )
  const source = { kind: 'git', repository: forge.address } as const
  const { organizationId } = octavo
  const wanted = { organizationId, name: 'Tea', domains: ['tea.example.com'], source }
  projectId = (await addProject(octavo.node.context, wanted)).id
})
after(() => opened.disposeAsync())

test('a job sees the changes of other open jobs, and its pull request lists those in the same files', async () => {
  const first = await octavo.client.createAgentJob(projectId, { prompt: 'first' })
  await firstAtWork.promise
  const second = await octavo.client.createAgentJob(projectId, { prompt: 'second' })
  await ended(first)
  const { prLink } = await ended(second)
  assert.doesNotMatch(told.get('first') ?? '', /Other jobs/)
  assert.match(
    told.get('second') ?? '',
    /Other jobs are changing this site[\s\S]*no title yet.*, running: .*guides\/brew\.mdx/,
  )

  const third = await ended(await octavo.client.createAgentJob(projectId, { prompt: 'third' }))
  const seen = told.get('third') ?? ''
  for (const name of ['first', 'second'])
    assert.match(seen, new RegExp(`By the ${name}.{1,4}, pull request open: .{1,4}guides/brew\\.mdx`))

  const body = forge.requests.find(({ branch }) => branch === third.branch)?.body ?? ''
  assert.match(body, /## Open changes in the same files/)
  assert.ok(body.includes(`- Agent job \`${second.id}\` (By the second, ${prLink}): \`${PAGE}\``), body)
})

async function ended({ id }: Pick<AgentJob, 'id'>): Promise<AgentJob> {
  for await (const _event of followAgentJob(octavo.client, projectId, id, { pauseMs: 50 }));
  const job = await octavo.client.getAgentJob(projectId, id)
  assert.equal(job.status, 'completed', job.error ?? '')
  return job
}
