/** Tests the output and exit codes of `octavo dev` and `octavo check`. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { after, before, test } from 'node:test'
import type { Problem } from '../../src/base/errors/problem.ts'
import { MAIN } from '../kit/octavo-command.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'
import { writeSite } from '../kit/site.ts'
import { SITE } from './preview-scene.ts'

let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-commands-'))
  await writeSite(join(folder, 'sound'), SITE)
  await writeSite(join(folder, 'doubtful'), {
    ...SITE,
    'index.mdx': '---\ntitle: Home\n---\n\n[a](/nowhere)\n',
  })
  await writeSite(join(folder, 'wrong'), {
    ...SITE,
    'guides/second.mdx': '---\ntitle: Second\n---\nimport X from "/snippets/none.mdx"\n\n<X />\n',
  })
  await writeSite(join(folder, 'nothing'), { 'readme.txt': 'no site' })
})
after(() => rm(folder, { recursive: true, force: true }))

function octavo(...args: string[]): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...PROGRAM_ENV },
  })
}

async function ended(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const [stdout, stderr, [code]] = await Promise.all([
    child.stdout?.toArray() ?? [],
    child.stderr?.toArray() ?? [],
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}

const run = (...args: string[]) => ended(octavo(...args))

test('check of a valid site reports no problems and exits with 0', async () => {
  const { code, stdout, stderr } = await run('check', 'sound')
  assert.equal(stderr, 'Checking sound …\n')
  assert.equal(stdout, '3 pages checked; no problems.\n')
  assert.equal(code, 0)
})

test('check prints file, line, code and remedy, and exits with 0 if there are only warnings', async () => {
  const { code, stdout } = await run('check', 'doubtful')
  assert.match(stdout, /^index\.mdx:5 {2}warning {2}link\.missing\n {4}The link .*\n {4}\S.*\n/)
  assert.match(stdout, /3 pages checked; 1 warning\.\n$/)
  assert.equal(code, 0)
})

test('check exits with 1 on an error, in every output format', async () => {
  const text = await run('check', 'wrong')
  assert.equal(text.code, 1)
  assert.match(text.stdout, /guides\/second\.mdx:4 {2}error {2}import\.missing/)

  const json = await run('check', 'wrong', '--json')
  assert.equal(json.code, 1)
  const { pages, problems } = JSON.parse(json.stdout) as { pages: number; problems: Problem[] }
  assert.equal(pages, 3)
  const [error] = problems.filter(({ level }) => level === 'error')
  assert.deepEqual([error?.file, error?.line, error?.code], ['guides/second.mdx', 4, 'import.missing'])
  assert.equal((await run('check', 'wrong', '--format', 'json')).stdout, json.stdout)

  const github = await run('check', 'wrong', '--format', 'github')
  assert.equal(github.code, 1)
  assert.match(github.stdout, /^::error file=wrong\/guides\/second\.mdx,line=4,title=import\.missing::The /m)

  const gitlab = await run('check', 'wrong', '--format', 'gitlab')
  assert.equal(gitlab.code, 1)
  const [issue] = JSON.parse(gitlab.stdout) as { location: unknown; severity: string }[]
  assert.deepEqual(issue?.location, { path: 'wrong/guides/second.mdx', lines: { begin: 4 } })
  assert.equal(issue?.severity, 'critical')
})

test('check of a folder without a site reports the reason as a problem', async () => {
  const { code, stdout } = await run('check', 'nothing', '--json')
  assert.equal(code, 1)
  const { pages, problems } = JSON.parse(stdout) as { pages: number; problems: Problem[] }
  assert.equal(pages, 0)
  assert.ok(problems.some(({ level }) => level === 'error'))
})

test('check exits with 1 for a missing folder and with 2 for invalid options', async () => {
  const missing = await run('check', 'not-there')
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /^Checking not-there …\nThere is no folder not-there. Check the path.\n$/)
  for (const args of [['--format', 'xml'], ['--json', '--format', 'github'], ['--what']])
    assert.equal((await run('check', 'sound', ...args)).code, 2, args.join(' '))
})

/** Reads lines until one matches. */
async function lineOf(lines: Interface, pattern: RegExp): Promise<RegExpExecArray> {
  for await (const line of lines) {
    const found = pattern.exec(line)
    if (found) return found
  }
  throw new Error(`the output ended without ${pattern}`)
}

test('dev prints its URL and then every change with its problems, until it is stopped', async () => {
  await writeSite(join(folder, 'live'), SITE)
  const child = octavo('dev', 'live', '--port', '0')
  const lines = createInterface({ input: child.stderr as NonNullable<typeof child.stderr> })
  const told: string[] = []
  const waiting: { pattern: RegExp; resolve(): void }[] = []
  lines.on('line', (line) => {
    told.push(line)
    for (const one of [...waiting]) {
      if (!one.pattern.test(line)) continue
      waiting.splice(waiting.indexOf(one), 1)
      one.resolve()
    }
  })
  const said = (pattern: RegExp) =>
    told.some((line) => pattern.test(line))
      ? Promise.resolve()
      : new Promise<void>((resolve) => waiting.push({ pattern, resolve }))
  const output = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> })
  const [, url = ''] = await lineOf(output, /^Preview at (http:\/\/localhost:\d+)\. Press Ctrl\+C to stop\.$/)
  await said(/^3 pages$/)
  assert.match(await (await fetch(url)).text(), /Welcome/)
  await writeSite(join(folder, 'live'), { 'index.mdx': '---\ntitle: Home\n---\n\n[a](/nowhere)\n' })
  await said(/^index\.mdx: shown after \d+ ms$/)
  await said(/^index\.mdx:5 {2}warning {2}link\.missing$/)
  await writeSite(join(folder, 'live'), { 'index.mdx': SITE['index.mdx'] as string })
  await said(/^1 problem solved$/)
  child.kill('SIGINT')
  const [code] = await once(child, 'close')
  assert.equal(code, 0)
})

test('dev with --json prints one JSON document', async () => {
  const child = octavo('dev', 'sound', '--port', '0', '--json')
  const output = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> })
  const [line = ''] = await lineOf(output, /^\{.*\}$/)
  assert.match((JSON.parse(line) as { url: string }).url, /^http:\/\/localhost:\d+$/)
  child.kill('SIGTERM')
  assert.equal((await once(child, 'close'))[0], 0)
})

test('dev serves 503 for a folder without settings and exits if the folder is missing', async () => {
  const missing = await run('dev', 'not-there', '--port', '0')
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /There is no folder/)
  const child = octavo('dev', 'nothing', '--port', '0')
  const output = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> })
  const [, url = ''] = await lineOf(output, /(http:\S+)\. Press/)
  assert.equal((await fetch(url)).status, 503)
  child.kill('SIGTERM')
  await once(child, 'close')
})

test('dev exits with one sentence when its port is in use, and rejects an invalid port', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const { code, stderr } = await run('dev', 'sound', '--port', String(port))
  assert.equal(code, 1)
  assert.match(
    stderr,
    new RegExp(`^Port ${port} is already in use\\. Choose another one with --port\\.$`, 'm'),
  )
  taken.close()
  for (const bad of ['x', '70000', '-1']) assert.equal((await run('dev', 'sound', `--port=${bad}`)).code, 2)
})
