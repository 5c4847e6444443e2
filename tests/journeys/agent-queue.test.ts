/**
 * A node with one slot for agent jobs, which the first job occupies until all others are queued. Organizations and
 * projects take turns, and each queued job reports over HTTP how many are ahead of it.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addKey, addOrganization, addProject } from '../../src/app/operator/administration.ts'
import { createClient } from '../../src/client/client.ts'
import { type AgentScene, openAgentScene } from '../kit/agent.ts'
import { replies } from '../kit/model-server.ts'
import { until } from '../kit/until.ts'

const started: string[] = []
const allWait = Promise.withResolvers<void>()
let scene: AgentScene

before(async () => {
  scene = await openAgentScene({
    script:
      ({ messages }) =>
      async (exchange) => {
        const task = messages.find(({ role }) => role === 'user')?.content?.split('\n', 1)[0] ?? ''
        started.push(task)
        if (task === 'busy 1') await allWait.promise
        await replies({ text: 'There is nothing to do.' })(exchange)
      },
    env: { OCTAVO_AGENT_JOBS: '1', OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*' },
  })
})
after(() => scene?.[Symbol.asyncDispose]())

test('a project with many queued jobs does not hold up other projects', async () => {
  const { octavo, projectId: busy, repository } = scene
  const { context } = octavo.node
  const source = { kind: 'folder', repository: repository.folder } as const
  const addTo = async (organizationId: string, name: string) =>
    (await addProject(context, { organizationId, name, domains: [`${name}.example.com`], source })).id
  const calm = await addTo(octavo.organizationId, 'calm')
  const other = await addOrganization(context, { name: 'Other', plan: 'enterprise' })
  const foreign = await addTo(other.id, 'foreign')
  const { text: otherKey } = await addKey(context, { organizationId: other.id, name: 'other' })
  const { client } = octavo
  const otherClient = createClient({ baseUrl: octavo.url, apiKey: otherKey })

  const first = await client.createAgentJob(busy, { prompt: 'busy 1' })
  await until(() => started.length > 0)
  const later = []
  for (const number of [2, 3, 4, 5])
    later.push(await client.createAgentJob(busy, { prompt: `busy ${number}` }))
  const ofCalm = await client.createAgentJob(calm, { prompt: 'calm 1' })
  const ofForeign = await otherClient.createAgentJob(foreign, { prompt: 'foreign 1' })

  const behind = async (ask: typeof client, projectId: string, id: string) =>
    (await ask.getAgentJob(projectId, id)).queuedBehind
  assert.equal(await behind(client, busy, first.id), undefined, 'it is at work')
  assert.equal(await behind(otherClient, foreign, ofForeign.id), 0)
  assert.equal(await behind(client, calm, ofCalm.id), 1)
  const waiting = await Promise.all(later.map(({ id }) => behind(client, busy, id)))
  assert.deepEqual(waiting, [2, 3, 4, 5])

  allWait.resolve()
  await scene.ended(later.at(-1)?.id ?? '')
  const turns = ['busy 1', 'foreign 1', 'calm 1', 'busy 2', 'busy 3', 'busy 4', 'busy 5']
  assert.deepEqual([...new Set(started)], turns)
})
