/** `octavo demo` and `octavo demo agent`, run without any account. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { connectTo } from '../../src/cli/api-client.ts'
import { createClient } from '../../src/client/client.ts'
import { MAIN } from '../kit/octavo-command.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'
import { until } from '../kit/until.ts'

describe('octavo demo', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'octavo-demo-test-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  function start(...flags: string[]) {
    // The demo must ignore a DATABASE_URL set on the machine.
    const env = { ...PROGRAM_ENV, TMPDIR: folder, DATABASE_URL: 'postgres://nowhere/none' }
    const args = [MAIN, 'demo', 'agent', ...flags]
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    return { child, ended }
  }

  const leftovers = async () => (await readdir(folder)).filter((name) => name.startsWith('octavo-demo-'))

  test('goes from reader feedback to the published page without a terminal or an account', async () => {
    const { child, ended } = start('--json')
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    assert.equal(await ended, 0, stderr)

    const shown = JSON.parse(stdout)
    assert.match(shown.jobId, /^aj_/)
    assert.match(shown.prLink, /\/reviews\/aj_/)
    assert.deepEqual([shown.state, shown.feedback, shown.filesChanged], ['merged', 'resolved', 4])
    assert.ok(shown.shows.some((paragraph: string) => paragraph.includes('stay as they are')))

    assert.match(stderr, /The model is a recording/)
    assert.match(stderr, /replay:keepsake\.recording/)
    assert.match(stderr, /found 1 problem \(round 1\):\n.*restore-one-file\.mdx:\d+/)
    assert.match(stderr, /The change passes the check/)
    assert.match(stderr, /new +guides\/restore-one-file\.mdx/)
    assert.match(stderr, /Before .*brings the folder back(.*\n)+ *Now .*writes what is missing/)
    assert.doesNotMatch(stderr, /\u001b\[/, 'no colours where there is no terminal')
    assert.deepEqual(await leftovers(), [])
  })

  test('keeps its organization between starts and replaces it with --reset', async () => {
    const data = join(folder, 'scene')
    const env = { ...PROGRAM_ENV, TMPDIR: folder, DATABASE_URL: 'postgres://nowhere/none' }
    const run = (...flags: string[]) => {
      const args = [MAIN, 'demo', '--data', data, '--port', '0', '--json', ...flags]
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
      return { child, ended: once(child, 'close'), stderr: text(child.stderr) }
    }
    const open = async (...flags: string[]) => {
      const { child, ended, stderr } = run(...flags)
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const { value: said } = await lines.next()
      if (said === undefined) assert.fail(await stderr)
      const stop = async () => {
        child.kill('SIGINT')
        await ended
      }
      const shown = JSON.parse(said) as { url: string; key: string; projectId: string; setupUrl: string }
      return { ...shown, client: createClient({ baseUrl: shown.url, apiKey: shown.key }), stop }
    }
    const first = await open()
    const { projectId, client, url } = first
    assert.match(first.setupUrl, /\/setup#token=/)
    assert.equal((await client.listFeedback(projectId, { limit: 100 })).feedback.length, 100)
    const { call } = await connectTo({ url, dataFolder: join(data, 'data'), publicUrl: url })
    const views = await until(async () => {
      const { jobs } = await client.listAgentJobs(projectId)
      const { views } = await call('getInsights', { params: { projectId }, query: { days: 7 } })
      return jobs[0]?.status === 'completed' && views.now > 0 && views.now
    }, 'the job waits for review, and views are counted')
    assert.equal(views, 14)

    const second = run()
    assert.deepEqual(await second.ended, [1, null])
    assert.match(await second.stderr, /already running at http/)
    await first.stop()
    const again = await open()
    assert.deepEqual([again.projectId, again.key], [projectId, first.key])
    await again.stop()
    const fresh = await open('--reset')
    assert.notEqual(fresh.projectId, projectId)
    await fresh.stop()
  })

  test('can be interrupted and leaves no files behind', async () => {
    const { child, ended } = start()
    let said = ''
    child.stdout.on('data', (chunk) => {
      const isFirst = !said.includes('The agent works')
      said += chunk
      if (isFirst && said.includes('The agent works')) child.kill('SIGINT')
    })
    assert.equal(await ended, 0)
    assert.match(said, /stopped and removed/)
    assert.doesNotMatch(said, /Accepted/)
    assert.deepEqual(await leftovers(), [])
  })
})
