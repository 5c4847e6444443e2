/**
 * Kills a worker with SIGKILL while it builds a preview, at each of twenty moments (two in a short run). Visitors get a
 * complete version or a message that there is none, another worker publishes the newest commit, and the status at the
 * pull request ends up correct.
 */
import assert from 'node:assert/strict'
import { get } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ForgeSite, openForgeSite } from '../hosting/forge-site-scene.ts'
import { smallSite } from '../kit/site.ts'
import { until } from '../kit/until.ts'
import { sampleOf } from '../kit/whole-run.ts'
import { startWorkerProcess, type WorkerProcess } from '../kit/worker-process.ts'

const SECRET = 'one secret for the nodes of this test'
const PAGES = 40
/** Milliseconds after the start of an attempt. */
const MOMENTS = Array.from({ length: 20 }, (_, index) => index * 120)

let site: ForgeSite
let worker: WorkerProcess
before(async () => {
  const env = { OCTAVO_ROLE: 'api', OCTAVO_SECRET: SECRET }
  site = await openForgeSite({ domain: 'docs.example.com', files: smallSite(PAGES), env })
  worker = startWorker()
})
after(async () => {
  await worker.kill()
  await site[Symbol.asyncDispose]()
})

function startWorker(): WorkerProcess {
  const { octavo, env } = site
  const { OCTAVO_ROLE: _, ...shared } = env
  return startWorkerProcess({
    ...shared,
    DATABASE_URL: octavo.databaseUrl,
    OCTAVO_ALLOW_FSYNC_OFF: 'true',
    OCTAVO_DATA: octavo.dataFolder,
    OCTAVO_PUBLIC_URL: octavo.url,
    OCTAVO_RENDER_CHILDREN: '1',
  })
}

/** Status and round of the page, as a visitor of the preview gets it. */
function served(address: string, path: string): Promise<string> {
  const { hostname, port } = new URL(site.octavo.url)
  return new Promise((resolve, reject) => {
    get({ hostname, port, path, headers: { host: new URL(address).host } }, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve(`${response.statusCode} ${/This is round (\d+)/.exec(text)?.[1] ?? 'none'}`)
    }).on('error', reject)
  })
}

test('a preview is complete or missing when its worker is killed, and its commit status ends as success', async (t) => {
  const { octavo, forge, projectId } = site
  const number = forge.addRequest({ branch: 'feature', target: 'main', isFromFork: false })
  const find = async () => (await octavo.client.listPreviews(projectId)).previews[0]
  let newest = -1
  for (const [round, moment] of sampleOf(MOMENTS, 10).entries()) {
    const commit = await site.push('feature', `This is round ${round}`)
    if (round === 0) await site.tellRequest({ number, branch: 'feature' })
    await until(async () => {
      const { rows } = await octavo.node.context.database.pool.query(
        `SELECT FROM deployments WHERE preview_id IS NOT NULL AND status <> 'queued' ORDER BY number DESC
         OFFSET $1`,
        [round],
      )
      return rows.length > 0
    }, 'the beginning')
    const address = (await find())?.previewUrl ?? ''
    const look = async () => {
      const seen = await served(address, '/page-1')
      const isMissing = newest < 0 && /^404 none|^503 none/.test(seen)
      assert.ok(isMissing || seen === `200 ${newest}` || seen === `200 ${round}`, `${seen} in round ${round}`)
      // A live version is complete, up to its last page.
      if (!isMissing) assert.match(await served(address, `/page-${PAGES}`), /^200/)
      if (seen === `200 ${round}`) newest = round
    }
    await sleep(moment)
    await worker.kill()
    await look()
    worker = startWorker()
    await until(async () => {
      await look()
      return newest === round
    }, 'the version of the round')
    await until(
      () => forge.statuses.some((one) => one.commit === commit && one.said.state === 'success'),
      'the status',
    )
    const said = forge.statuses.filter((one) => one.commit === commit).at(-1)?.said
    assert.deepEqual([said?.state, said?.target_url], ['success', address])
    await until(() => forge.comments.some(({ text }) => text.includes(commit.slice(0, 10))), 'one comment')
    assert.equal(forge.comments.filter(({ author }) => author === 'octavo').length, 1)
    t.diagnostic(`killed ${moment} ms after it had begun`)
  }
  const { rows } = await octavo.node.context.database.pool.query(
    `SELECT status FROM deployments WHERE status NOT IN ('published', 'failed')`,
  )
  assert.deepEqual(rows, [], 'nothing is left half done')
})
