/**
 * Where untrusted text is read: a site that no process can bear ends as failed with its reason while the server goes on
 * answering, and whichever process is killed, nothing that was acknowledged is lost and nothing stays behind.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { largeDescription } from '../kit/hostile-sites.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { smallSite } from '../kit/site.ts'

let served: TestNode

before(async () => {
  served = await startTestNode({ OCTAVO_SITE_MEMORY_MB: '256' }, { hasWorkerProcess: true })
})
after(() => served[Symbol.asyncDispose]())

interface Running {
  pid: number
  parent: number
  command: string
}

/** All processes below this one, the nearest first. */
function descendants(root: number = process.pid): Running[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return [{ pid: Number(name), parent, command }]
      } catch {
        return []
      }
    })
  const below = (parents: readonly number[]): Running[] => {
    const children = all.filter(({ parent }) => parents.includes(parent))
    return children.length === 0 ? [] : [...children, ...below(children.map(({ pid }) => pid))]
  }
  return below([root])
}

async function findProcess(file: string, root?: number): Promise<number> {
  for (;;) {
    const found = descendants(root).find(({ command }) => command.includes(file) && command.includes('node'))
    if (found) return found.pid
    await sleep(20)
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Asks as long as the work goes on; answers the longest wait in milliseconds. */
async function watchHealth(work: Promise<unknown>): Promise<number> {
  let isOver = false
  void work.finally(() => {
    isOver = true
  })
  let longest = 0
  while (!isOver) {
    const began = performance.now()
    const { status } = await fetch(`${served.url}/healthz`)
    assert.equal(status, 200)
    longest = Math.max(longest, performance.now() - began)
    await sleep(20)
  }
  return longest
}

test('a site that needs too much memory fails with a reason, the server answers, and the next job works', async (t) => {
  const openapi = { openapi: 'openapi.json' }
  await served.addSite('large.example.com', {
    'docs.json': JSON.stringify({
      name: 'Large',
      theme: 'mint',
      colors: { primary: '#123456' },
      api: openapi,
      navigation: { groups: [{ group: 'API', ...openapi }] },
    }),
    'index.mdx': '# Hi\n',
    'openapi.json': largeDescription(),
  })
  await served.addSite('small.example.com', smallSite(3))
  const { jobId } = await served.client.startExport({ domain: 'large.example.com' })
  const failing = served.finished(jobId)
  const longest = await watchHealth(failing)
  const failed = await failing
  assert.equal(failed.status, 'failed')
  assert.match(failed.error ?? '', /needed more than 0\.3 GB of memory/)
  t.diagnostic(`longest wait for /healthz ${Math.round(longest)} ms`)
  const next = await served.client.startExport({ domain: 'small.example.com' })
  assert.equal((await served.finished(next.jobId)).status, 'completed')
  assert.deepEqual(
    descendants().filter(({ command }) => /inside\/main|render\/child/.test(command)),
    [],
  )
})

for (const [what, file] of [
  ['the process of its site', 'inside/main'],
  ['the process of the jobs', 'worker-main'],
] as const) {
  test(`an export goes on when ${what} is killed`, async () => {
    const domain = `${what.replaceAll(' ', '-')}.example.com`
    await served.addSite(domain, smallSite(40))
    const { jobId } = await served.client.startExport({ domain })
    await findProcess('inside/main')
    const pid = await findProcess(file)
    process.kill(pid, 'SIGKILL')
    const job = await served.finished(jobId)
    assert.equal(job.status, 'completed', job.error ?? '')
    assert.ok(!descendants().some((one) => one.pid === pid))
  })
}

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  test(`a node that gets ${signal} leaves no process behind`, async () => {
    const node = spawn(process.execPath, ['src/cli/main.ts', 'start', '--no-sample', '--json'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        OCTAVO_DATA: join(served.dataFolder, signal),
        OCTAVO_ALLOW_FSYNC_OFF: 'true',
        DATABASE_URL: served.databaseUrl,
      },
    })
    try {
      await once(node.stdout, 'data') // it listens
      const worker = await findProcess('worker-main', node.pid)
      const exited = once(node, 'exit')
      node.kill(signal)
      const [code] = await exited
      if (signal === 'SIGTERM') assert.equal(code, 0)
      while (isRunning(worker)) await sleep(20)
    } finally {
      node.kill('SIGKILL')
    }
  })
}
