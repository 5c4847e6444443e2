/**
 * Kills a worker with SIGKILL while publishing, at each of twenty moments (two in a short run). Readers get the last
 * good version until the new one is live, never the old one again afterwards, and another worker finishes the
 * deployment.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'
import { smallSite } from '../kit/site.ts'
import { until } from '../kit/until.ts'
import { sampleOf } from '../kit/whole-run.ts'

const DOMAIN = 'docs.example.com'
const SECRET = 'one secret for the nodes of this test'
const PAGES = 40
/** Milliseconds after the start of an attempt. */
const MOMENTS = Array.from({ length: 20 }, (_, index) => index * 120)

let octavo: TestNode
let site: { projectId: string; folder: string }
const workers = new Set<ChildProcess>()

before(async () => {
  octavo = await startTestNode({ OCTAVO_ROLE: 'api', OCTAVO_SECRET: SECRET })
  site = await octavo.addSite(DOMAIN, smallSite(PAGES))
})
after(async () => {
  await Promise.all([...workers].map(kill))
  await octavo[Symbol.asyncDispose]()
})

function startWorker(): ChildProcess {
  const worker = spawn(process.execPath, ['src/cli/main.ts', 'start', '--role', 'worker'], {
    stdio: 'ignore',
    env: {
      ...PROGRAM_ENV,
      DATABASE_URL: octavo.databaseUrl,
      OCTAVO_ALLOW_FSYNC_OFF: 'true',
      OCTAVO_DATA: octavo.dataFolder,
      OCTAVO_SECRET: SECRET,
      OCTAVO_PUBLIC_URL: octavo.url,
      OCTAVO_RENDER_CHILDREN: '1',
    },
  })
  workers.add(worker)
  return worker
}

async function kill(worker: ChildProcess): Promise<void> {
  workers.delete(worker)
  if (worker.exitCode !== null || worker.signalCode !== null) return
  worker.kill('SIGKILL')
  await once(worker, 'exit')
}

/** Changes every page, so that publishing has work to do at each moment. */
async function write(round: number): Promise<void> {
  for (const [path, text] of Object.entries(smallSite(PAGES)))
    if (path.endsWith('.mdx')) await writeFile(join(site.folder, path), `${text}\nThis is round ${round}.\n`)
}

/** Status and round of the page, as a reader gets it. */
function served(path: string): Promise<string> {
  const { hostname, port } = new URL(octavo.url)
  return new Promise((resolve, reject) => {
    get({ hostname, port, path, headers: { host: DOMAIN } }, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve(`${response.statusCode} ${/This is round (\d+)/.exec(text)?.[1]}`)
    }).on('error', reject)
  })
}

async function ended(deploymentId: string, look: () => Promise<void>): Promise<void> {
  await until(async () => {
    const state = await octavo.client.getDeployment(site.projectId, deploymentId)
    await look()
    assert.notEqual(state.status, 'failed', state.error ?? '')
    return state.status === 'published'
  }, 'the version')
}

async function begun(deploymentId: string): Promise<void> {
  await until(
    async () => (await octavo.client.getDeployment(site.projectId, deploymentId)).status !== 'queued',
    'the beginning of the deployment',
  )
}

test('the last good version is served at whatever moment the publishing worker is killed', async (t) => {
  await write(0)
  let worker = startWorker()
  const first = await octavo.client.startDeployment(site.projectId)
  await ended(first.deploymentId, async () => undefined)
  for (const [index, moment] of sampleOf(MOMENTS, 10).entries()) {
    const round = index + 1
    await write(round)
    let newest = index
    const look = async () => {
      for (const path of ['/', `/page-${PAGES}`]) {
        const seen = await served(path)
        assert.ok(seen === `200 ${newest}` || seen === `200 ${round}`, `${seen} in round ${round}`)
        if (seen === `200 ${round}`) newest = round
      }
    }
    const { deploymentId } = await octavo.client.startDeployment(site.projectId)
    await begun(deploymentId)
    await sleep(moment)
    await kill(worker)
    await look()
    worker = startWorker()
    await ended(deploymentId, look)
    // The server caches the live version for 100 ms.
    await until(async () => {
      await look()
      return newest === round
    }, `round ${round}`)
    const { stages, isLive } = await octavo.client.getDeployment(site.projectId, deploymentId)
    assert.deepEqual([isLive, stages.at(-1)?.name], [true, 'publish'])
    t.diagnostic(`killed ${moment} ms after it had begun`)
  }
})
