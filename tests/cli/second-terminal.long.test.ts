/** Commands in a second terminal find a running server without settings and create no files when there is none. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { type Ended, MAIN, runOctavo } from '../kit/octavo-command.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'

describe('commands in a second terminal', () => {
  let folder: string
  let elsewhere: string
  let server: ChildProcess
  let greeting: string[]
  /** URL on which nothing listens. */
  let nobody: string
  const env = () => ({ XDG_RUNTIME_DIR: join(folder, 'run') })
  const there = (...args: string[]): Promise<Ended> => runOctavo(args, { cwd: elsewhere, env: env() })
  const asJson = async (...args: string[]) => {
    const { code, stdout, stderr } = await there(...args, '--json')
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'octavo-terminal-'))
    elsewhere = join(folder, 'elsewhere')
    const listener = createServer().listen(0, '127.0.0.1')
    await once(listener, 'listening')
    nobody = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
    listener.close()
    for (const name of ['run', 'elsewhere', 'one', 'two']) await mkdir(join(folder, name), { mode: 0o700 })
  })
  after(async () => {
    await end(server)
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  })

  /** Resolves when the greeting is complete or, with `--json`, the document is printed. */
  async function start(name: string, ...flags: string[]): Promise<[ChildProcess, string[]]> {
    const child = spawn(process.execPath, [MAIN, 'start', '--port', '0', '--log', 'error', ...flags], {
      cwd: join(folder, name),
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...PROGRAM_ENV, ...env() },
    })
    const lines: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line)
      if (/Ctrl-C stops|^\{/.test(line)) return [child, lines]
    }
    throw new Error(`no greeting: ${lines.join('\n')}`)
  }

  async function end(child: ChildProcess | undefined, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }

  test('commands without a server report what is missing and create no files', async () => {
    for (const line of ['projects list', 'keys list', 'projects sync x.localhost', 'open docs.localhost']) {
      const { code, stdout, stderr } = await there(...line.split(' '))
      assert.deepEqual([code, stdout], [1, ''], line)
      assert.match(
        stderr,
        /^No server is running on this machine, and there is no data folder .*\/elsewhere\/\.octavo\. Start a server with /,
      )
    }
    const named = await runOctavo(['orgs', 'list'], {
      cwd: elsewhere,
      env: { ...env(), OCTAVO_DATA: join(folder, 'nowhere') },
    })
    assert.equal(named.code, 1)
    assert.match(named.stderr, /^There is no database in .*nowhere\. Set OCTAVO_DATA to the data folder/)
    const api = await there('agent', 'list', '--project', 'prj_1')
    assert.equal(api.code, 2)
    assert.match(api.stderr, /^An admin API key is required: set OCTAVO_KEY\./)
    assert.deepEqual(await readdir(elsewhere), [])
    assert.ok(!(await readdir(folder)).includes('nowhere'))
  })

  test('data and API commands find a running server from any folder', async () => {
    ;[server, greeting] = await start('one')
    const [project] = await asJson('projects', 'list')
    assert.deepEqual(project.domains, ['docs.localhost'])
    const dashboard = greeting
      .find((line) => line.includes('Dashboard'))
      ?.split(/\s+/)
      .at(-1) as string
    assert.deepEqual(await asJson('open'), { url: dashboard })
    const { port } = new URL(dashboard)
    assert.deepEqual(await asJson('open', project.id), { url: `http://docs.localhost:${port}` })
    for (const named of [project.id, 'docs.localhost']) {
      const page = await asJson('feedback', 'list', '--project', named)
      assert.deepEqual(page.feedback, [])
    }
    const out = join(elsewhere, 'site.tar.gz')
    assert.ok((await asJson('export', '--domain', project.id, '--out', out)).files > 10)
    assert.ok((await stat(out)).size > 10_000)
    assert.deepEqual(await readdir(elsewhere), ['site.tar.gz'])
  })

  test('the operator key file has mode 0600, and commands without a valid key fail', async () => {
    const file = join(folder, 'one', '.octavo', 'operator-key')
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    const key = await readFile(file, 'utf8')
    await writeFile(file, 'another')
    const refused = await there('orgs', 'list')
    assert.match(refused.stderr, /^A valid admin API key is required/)
    await rm(file)
    const missing = await there('orgs', 'list')
    assert.match(missing.stderr, /is an earlier version\. Restart it/)
    await writeFile(file, key, { mode: 0o600 })
    assert.equal((await asJson('orgs', 'list')).length, 1)
    assert.deepEqual((await asJson('keys', 'list')).length, 1, 'no command has made a key')
  })

  test('a key of this machine is not sent to another URL', async () => {
    const other = await there(
      'feedback',
      'list',
      '--project',
      'docs.localhost',
      '--url',
      'http://localhost:1',
    )
    assert.equal(other.code, 2)
    assert.match(other.stderr, /^An admin API key is required/)
  })

  test('the announcement file of a server has mode 0600 and contains no secret', async () => {
    const run = join(folder, 'run', 'octavo')
    const [file = ''] = await readdir(run)
    assert.equal((await stat(join(run, file))).mode & 0o777, 0o600)
    const said = await readFile(join(run, file), 'utf8')
    assert.doesNotMatch(said, /oct_|token|secret/)
    assert.equal(JSON.parse(said).pid, server.pid)
  })

  test('settings from a .env file apply, and doctor names unknown ones', async () => {
    await writeFile(
      join(elsewhere, '.env'),
      `OCTAVO_URL=${nobody}\nOCTAVO_KEY=oct_x\nOCTAVO_PROT=1\nUNRELATED=1\nOCTAVO_DATA=${join(folder, 'one', '.octavo')}\n`,
    )
    const list = ['feedback', 'list', '--project', 'prj_1']
    assert.match((await there(...list)).stderr, /^The API cannot be reached \(ECONNREFUSED\)/)
    const { url } = await asJson('open')
    assert.equal(url, nobody)
    const doctor = await there('doctor', '--json')
    const { findings } = JSON.parse(doctor.stdout)
    const [dotEnv] = findings.filter(({ check }: { check: string }) => check === 'dotenv')
    assert.match(dotEnv.message, /unknown settings: OCTAVO_PROT\.$/)
    await rm(join(elsewhere, '.env'))
  })

  test('doctor checks the running server, and exits with code 1 on a fault', async () => {
    const { code, stdout } = await there('doctor', '--json')
    const { findings, faults } = JSON.parse(stdout)
    const byCheck = new Map(findings.map((one: { check: string }) => [one.check, one]))
    for (const check of [
      'node',
      'clock',
      'settings',
      'git',
      'postgresql',
      'data',
      'port',
      'server',
      'objects',
    ])
      assert.ok(byCheck.has(check), check)
    assert.match((byCheck.get('server') as { message: string }).message, /and ready\.$/)
    assert.deepEqual([code, faults], [0, 0], stdout)
    const wrong = await runOctavo(['doctor'], {
      cwd: elsewhere,
      env: {
        ...env(),
        OCTAVO_DATA: '/proc/none/data',
        OCTAVO_MODEL: 'vllm:x',
        OCTAVO_MODEL_URL: `${nobody}/v1`,
      },
    })
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /FAULT {4}data .*\n +\S/)
    assert.match(wrong.stderr, /FAULT {4}model .*vllm:x cannot be reached: ECONNREFUSED/)
  })

  test('commands printed at start work when pasted into a shell', async (t) => {
    const lines = greeting
      .map((line) => line.trim())
      .filter((line) => /^(export|JOB=|while|BUNDLE=|curl|npm) ?/.test(line))
    assert.equal(lines.length, 6, greeting.join('\n'))
    const work = join(folder, 'paste')
    await mkdir(work)
    const shell = { cwd: work, env: { PATH: outer(), HOME: homedir(), ...env() }, encoding: 'utf8' } as const
    const last = lines.at(-1) as string
    assert.match(last, / export --domain docs\.localhost --out bundle\.tar\.gz$/)
    execFileSync('sh', ['-c', last], shell)
    await rm(join(work, 'bundle.tar.gz'))
    if (!hasProgram('curl')) return t.skip('there is no curl here')
    const listed = execFileSync('sh', ['-e'], { ...shell, input: lines.slice(0, -1).join('\n') })
    assert.match(listed, /manifest\.json/)
    // Each line fails with a message, without hanging, if a variable of an earlier line is missing or a request fails.
    const lacking = (given: NodeJS.ProcessEnv) =>
      spawnSync('sh', [], {
        ...shell,
        env: { ...shell.env, OCTAVO_URL: undefined, OCTAVO_KEY: undefined, ...given },
        input: lines.slice(1, -1).join('\n'),
        timeout: 60_000,
      })
    const [, OCTAVO_URL] = /OCTAVO_URL=(\S+)/.exec(lines[0] as string) ?? []
    for (const [given, said] of [
      [{}, /OCTAVO_URL: paste the line with export first.*BUNDLE: there is no bundle/s],
      [{ OCTAVO_URL }, /JOB: no export was started.*BUNDLE: there is no bundle/s],
    ] as const) {
      const { signal, status, stderr } = lacking(given)
      assert.equal(signal, null, `it ends by itself: ${stderr}`)
      assert.notEqual(status, 0)
      assert.match(stderr, said)
    }
  })

  test('with two servers running, commands list both or use the one of the current folder', async () => {
    const [second] = await start('two', '--no-sample', '--json')
    try {
      const { code, stderr } = await there('projects', 'list')
      assert.equal(code, 1)
      assert.match(stderr, /^2 servers are running on this machine/)
      const [line = ''] = stderr.split('\n').filter((row) => row.includes('/one/.octavo'))
      const OCTAVO_DATA = /OCTAVO_DATA=(\S+)/.exec(line)?.[1] as string
      const named = await runOctavo(['projects', 'list'], { cwd: elsewhere, env: { ...env(), OCTAVO_DATA } })
      assert.match(named.stdout, /docs\.localhost/)
      const url = line.trim().split(/\s+/).at(-1) as string
      const at = await asJson('feedback', 'list', '--project', 'docs.localhost', '--url', url)
      assert.deepEqual(at.feedback, [])
      const inside = await runOctavo(['orgs', 'list'], { cwd: join(folder, 'two'), env: env() })
      assert.match(inside.stdout, /^There is no organization yet\. Create one: /)
    } finally {
      await end(second)
    }
  })

  test('the announcement of a killed server is ignored and removed', async () => {
    await end(server, 'SIGKILL')
    const { code, stderr } = await there('projects', 'list')
    assert.equal(code, 1)
    assert.match(stderr, /^No server is running on this machine/)
    assert.deepEqual(await readdir(join(folder, 'run', 'octavo')), [])
  })
})

/** Returns PATH without `node_modules`, as in a shell. */
function outer(): string {
  return (process.env.PATH ?? '')
    .split(':')
    .filter((part) => !part.includes('node_modules'))
    .join(':')
}

function hasProgram(name: string): boolean {
  return outer()
    .split(':')
    .some((part) => {
      try {
        execFileSync(join(part, name), ['--version'], { stdio: 'ignore' })
        return true
      } catch {
        return false
      }
    })
}
