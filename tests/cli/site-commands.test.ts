import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Problem } from '../../src/base/errors/problem.ts'
import { MAIN, runOctavo } from '../kit/octavo-command.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'
import { writeSite } from '../kit/site.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-new-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const run = (...args: string[]) => runOctavo(args, { cwd: folder, env: { XDG_RUNTIME_DIR: folder } })

test('new creates a site without problems and prints the next commands', async () => {
  const made = await run('new', 'my-handbook')
  assert.equal(made.code, 0, made.stderr)
  assert.match(
    made.stdout,
    /^My handbook: \d+ files in .*my-handbook\n.* dev my-handbook\n.* check my-handbook\n$/,
  )
  const settings = JSON.parse(await readFile(join(folder, 'my-handbook/docs.json'), 'utf8'))
  assert.equal(settings.name, 'My handbook')
  const check = await run('check', 'my-handbook', '--json')
  assert.deepEqual([check.code, JSON.parse(check.stdout).problems], [0, []])
})

test('new uses the given name, including special characters', async () => {
  const name = 'A "$&" handbook'
  assert.equal((await run('new', 'named', '--name', name, '--json')).code, 0)
  assert.equal(JSON.parse(await readFile(join(folder, 'named/docs.json'), 'utf8')).name, name)
})

test('new rejects a folder that is not empty and a path that is a file', async () => {
  await writeSite(join(folder, 'full'), { 'notes.txt': 'mine' })
  const full = await run('new', 'full')
  assert.equal(full.code, 1)
  assert.match(full.stderr, /full is not empty\. Choose a new or empty folder/)
  assert.deepEqual(await readdir(join(folder, 'full')), ['notes.txt'])
  const file = await run('new', 'full/notes.txt')
  assert.equal(file.code, 1)
  assert.match(
    file.stderr,
    /^The folder .* cannot be created \(a file with this name exists\)\. Choose another one\.\n$/,
  )
})

test('check reports what an offline bundle would lack, and rejects an unknown --deployment', async () => {
  await writeSite(join(folder, 'remote'), {
    'docs.json':
      '{"name":"Remote","theme":"mint","colors":{"primary":"#000000"},"navigation":{"pages":["index"]}}',
    'index.mdx': '---\ntitle: Home\n---\n\n![A picture](https://pictures.invalid/a.png)\n',
  })
  const problems = async (...flags: string[]) => {
    const { stdout } = await run('check', 'remote', '--json', ...flags)
    return (JSON.parse(stdout).problems as Problem[]).map(({ code }) => code)
  }
  const online = await problems()
  const offline = await problems('--deployment', 'air-gapped')
  assert.ok(offline.length > online.length, `${offline} and ${online}`)
  const wrong = await run('check', 'remote', '--deployment', 'cloud')
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /^--deployment must be client-hosted or air-gapped\./)
})

test('rejects an output path that cannot be written before any request or rendering', async () => {
  await writeSite(join(folder, 'site'), {
    'docs.json':
      '{"name":"Site","theme":"mint","colors":{"primary":"#000000"},"navigation":{"pages":["index"]}}',
    'index.mdx': '---\ntitle: Home\n---\n\nText\n',
    'a-file': '',
  })
  const build = await run('build', 'site', '--out', 'site/a-file/inside')
  assert.equal(build.code, 1)
  assert.match(
    build.stderr,
    /^(Nothing can be written in|.*is a file)[^\n]*\. Use .*folder for the pages\.\n$/,
  )

  let asked = 0
  const api = createServer((_request, response) => {
    asked++
    response.writeHead(500).end('{}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => api.once('listening', resolve))
  const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  await mkdir(join(folder, 'out'))
  for (const [out, expected] of [
    [
      'nowhere/bundle.tar.gz',
      /^nowhere\/bundle\.tar\.gz cannot be written, because its folder does not exist/,
    ],
    ['site/a-file/x', /because a part of the path is a file\. Choose another file with --out\.\n$/],
    ['out', /^out is a folder\. Choose a file with --out\.\n$/],
  ] as const) {
    const access = ['--url', url, '--key', 'oct_x', '--out', out]
    for (const command of [
      ['export', '--domain', 'x.localhost', ...access],
      ['feedback', 'export', '--project', 'prj_1', ...access],
    ]) {
      const { code, stderr } = await run(...command)
      assert.equal(code, 1)
      assert.match(stderr, expected)
    }
  }
  assert.equal(asked, 0)
  api.close()
})

test('projects create rejects a missing source or docs folder before any other check', async () => {
  await writeFile(join(folder, 'plain.txt'), '')
  const create = (...args: string[]) =>
    run('projects', 'create', '--name', 'X', '--domain', 'x.localhost', ...args)
  const cases: [string[], RegExp][] = [
    [
      ['--source', 'not-there'],
      /^There is no folder .*not-there\. Choose an existing folder with --source\. See: /,
    ],
    [['--source', 'plain.txt'], /plain\.txt is a file\. Choose its folder with --source\./],
    [['--source', '.', '--docs', 'none'], /^There is no folder none in .*\. Correct --docs\./],
  ]
  for (const [args, expected] of cases) {
    const { code, stderr } = await create(...args)
    assert.equal(code, 2)
    assert.match(stderr, expected)
  }
})

test('start without a terminal logs why the server cannot start', async () => {
  const { code, stdout, stderr } = await runOctavo(['start'], { cwd: folder, env: { PORT: 'many' } })
  assert.deepEqual([code, stdout], [1, ''])
  const [line = '', rest] = stderr.split('\n')
  assert.equal(rest, '')
  const { event, text } = JSON.parse(line)
  assert.equal(event, 'start.failed')
  assert.match(text, /PORT/)
})

test('export without an API key fails and names OCTAVO_KEY', async () => {
  const { code, stderr } = await run('export', '--domain', 'x.localhost', '--out', 'x.tar.gz')
  assert.equal(code, 2)
  assert.match(stderr, /^An admin API key is required: set OCTAVO_KEY\./)
})

test('build reports a SIGTERM and leaves no files behind', async () => {
  const page = '---\ntitle: Page\n---\nWords.\n'
  await writeSite(join(folder, 'stopped'), {
    'docs.json':
      '{"name":"Stopped","theme":"mint","colors":{"primary":"#000000"},"navigation":{"pages":["p0"]}}',
    ...Object.fromEntries(Array.from({ length: 200 }, (_, number) => [`p${number}.mdx`, page])),
  })
  const outputs = join(folder, 'outputs')
  const child = spawn(process.execPath, [MAIN, 'build', 'stopped', '--out', 'outputs/pages'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: PROGRAM_ENV,
  })
  const stderr = child.stderr.toArray()
  const ended = once(child, 'close')
  const isMaking = async () => (await readdir(outputs).catch(() => [])).some((name) => name.endsWith('.new'))
  while (child.exitCode === null && !(await isMaking())) await setImmediate()
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [143, null])
  assert.match((await stderr).join(''), /Stopped\. The folder was not changed\.\n$/)
  assert.deepEqual(await readdir(outputs), [])
})
