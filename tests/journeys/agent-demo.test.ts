/** `octavo demo agent`, as somebody without any account runs it: to its end, and left in the middle. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { MAIN } from '../kit/octavo-command.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'

describe('the demonstration of agent jobs', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'octavo-demo-test-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  function start(...flags: string[]) {
    // Settings of the machine that would lead elsewhere: nothing of them counts.
    const env = { ...PROGRAM_ENV, TMPDIR: folder, DATABASE_URL: 'postgres://nowhere/none' }
    const args = [MAIN, 'demo', 'agent', ...flags]
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    return { child, ended }
  }

  const leftovers = async () => (await readdir(folder)).filter((name) => name.startsWith('octavo-demo-'))

  test('goes from a complaint to the page as it is served, without a terminal and without an account', async () => {
    const { child, ended } = start('--json')
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    assert.equal(await ended, 0, stderr)

    const shown = JSON.parse(stdout)
    assert.match(shown.jobId, /^aj_/)
    assert.match(shown.prLink, /\/reviews\/aj_/)
    assert.deepEqual([shown.state, shown.feedback, shown.filesChanged], ['merged', 'resolved', 4])
    assert.ok(shown.shows.some((paragraph: string) => paragraph.includes('stay as they are')))

    assert.match(stderr, /The model is a replay/)
    assert.match(stderr, /replay:keepsake\.recording/)
    assert.match(stderr, /round 1: 1 problem, back to the agent\n.*restore-one-file\.mdx:\d+/)
    assert.match(stderr, /round 2: no new problem/)
    assert.match(stderr, /new +guides\/restore-one-file\.mdx/)
    assert.match(stderr, /Read before .*brings the folder back(.*\n)+ *Read now .*writes what is missing/)
    assert.doesNotMatch(stderr, /\u001b\[/, 'no colours where there is no terminal')
    assert.deepEqual(await leftovers(), [])
  })

  test('can be left in the middle, and leaves nothing behind', async () => {
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
