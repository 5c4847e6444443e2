import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay, setInterval as everyMs } from 'node:timers/promises'
import { addProject } from '../../src/app/operator/administration.ts'
import { createTestRepository, startGitServer } from '../kit/git.ts'
import { writeSite } from '../kit/site.ts'
import { openTwoOrganizations, type Party, type TwoOrganizations } from '../kit/two-organizations.ts'

const PROJECTS = 12

type Source = Parameters<typeof addProject>[1]['source']

interface SlowServer extends AsyncDisposable {
  url: string
  /** Resolves after that many requests. */
  asked(times: number): Promise<void>
  /** Number of responses the client aborted. */
  left: number
}

async function startSlowServer(): Promise<SlowServer> {
  let came = 0
  const waiting: { times: number; resolve(): void }[] = []
  const server = createServer(async (_request, response) => {
    came++
    for (const one of waiting) if (came >= one.times) one.resolve()
    response.on('close', () => {
      slow.left++
    })
    response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' })
    for await (const _ of everyMs(300)) {
      if (response.closed) return
      response.write(Buffer.alloc(1024, '0'))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const slow: SlowServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    left: 0,
    asked: (times) =>
      came >= times
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push({ times, resolve })
          }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return slow
}

let scene: TwoOrganizations
before(async () => {
  scene = await openTwoOrganizations({
    OCTAVO_WORKERS: '1',
    OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*',
    OCTAVO_REMOTE_FILE_PRIVATE_HOSTS: '127.0.0.1:*',
    OCTAVO_GIT_ALLOW_HTTP: 'true',
  })
})
after(() => scene?.[Symbol.asyncDispose]())

let names = 0
async function addSite({ organizationId }: Party, source: Source): Promise<string> {
  const name = `slow-${++names}`
  const { context } = scene.octavo.node
  const project = await addProject(context, {
    organizationId,
    name,
    domains: [`${name}.example.com`],
    source,
  })
  return project.id
}

async function folderOf(files: Record<string, string>): Promise<Source> {
  const repository = join(scene.octavo.dataFolder, `site-${++names}`)
  const settings = { name: 'Plain', theme: 'mint', navigation: { pages: ['index'] } }
  await writeSite(repository, { 'docs.json': JSON.stringify(settings), 'index.mdx': '# Hello', ...files })
  return { kind: 'folder', repository }
}

async function statusOf({ client }: Party, projectId: string): Promise<string> {
  const { deployments } = await client.listDeployments(projectId)
  return deployments[0]?.status ?? 'none'
}

test(`${PROJECTS} projects on a slow git server do not delay another organization`, async () => {
  await using slow = await startSlowServer()
  const { acme, other } = scene
  const waiting: string[] = []
  for (let number = 0; number < PROJECTS; number++)
    waiting.push(await addSite(other, { kind: 'git', repository: `${slow.url}/${number}` }))
  for (const id of waiting) await other.client.startDeployment(id)
  await slow.asked(2)
  const projectId = await addSite(acme, await folderOf({}))
  const { status, error } = await acme.publish(projectId)
  assert.equal(status, 'published', error ?? '')
  const states = await Promise.all(waiting.map((id) => statusOf(other, id)))
  assert.equal(slow.left, 0)
  const running = states.filter((state) => state === 'running').length
  assert.ok(running >= 2 && running <= 4, `${running} at work`)
  assert.equal(states.filter((state) => state === 'queued').length, PROJECTS - running)
})

test('a site that waits for a remote file frees its slot for the next site of its organization', async () => {
  await using slow = await startSlowServer()
  const { acme } = scene
  const spec = {
    name: 'Slow',
    theme: 'mint',
    api: { openapi: `${slow.url}/api.json` },
    navigation: { pages: ['index', 'GET /far'] },
  }
  const waiting = await addSite(acme, await folderOf({ 'docs.json': JSON.stringify(spec) }))
  const over = acme.publish(waiting).then(({ error }) => assert.fail(`it did not wait: ${error}`))
  await Promise.race([slow.asked(1), over])
  const quick = await addSite(acme, await folderOf({}))
  assert.equal((await acme.publish(quick)).status, 'published')
  assert.equal(slow.left, 0)
  assert.equal(await statusOf(acme, waiting), 'running')
  over.catch(() => undefined)
})

test('following slow repositories does not delay another organization', async () => {
  await using slow = await startSlowServer()
  await using repository = await createTestRepository({
    'docs.json': JSON.stringify({ name: 'Plain', theme: 'mint', navigation: { pages: ['index'] } }),
    'index.mdx': '# Hello',
  })
  await using server = await startGitServer({ folder: dirname(repository.folder) })
  const { acme, other } = scene
  const follow = async (party: Party, url: string) => {
    const id = await addSite(party, { kind: 'git', repository: url })
    const { status } = await party.admin.ask(`/internal/projects/${id}/publishing`, {
      method: 'PATCH',
      body: { follows: true },
    })
    assert.equal(status, 200)
    return id
  }
  for (let number = 0; number < PROJECTS; number++) await follow(other, `${slow.url}/${number}`)
  await slow.asked(1)
  const followed = await follow(acme, `${server.url}/${basename(repository.folder)}`)
  while ((await statusOf(acme, followed)) === 'none') {
    assert.ok(slow.left <= 3, 'the other organization was waited for')
    await delay(200)
  }
})
