/** `npm start` stopped by a terminal, a script or a service manager leaves no process, not even PostgreSQL. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { MAIN, runOctavo } from '../kit/octavo-command.ts'
import { processTree, type SeenProcess, stillThere } from '../kit/processes.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'

const ROOT = join(import.meta.dirname, '../..')
/** A graceful stop takes up to ten seconds. The rest is for a busy machine. */
const SECONDS = 60

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-signals-'))
})
after(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))

interface Running {
  npm: ChildProcess
  processes: SeenProcess[]
}

/** Starts a process group, as a terminal does. The data folder is shared, so that only the first start is slow. */
async function npmStart(): Promise<Running> {
  const data = join(folder, 'data')
  const npm = spawn('npm', ['start', '--', '--no-sample', '--json', '--log', 'error'], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: outerPath(), HOME: homedir(), PORT: '0', OCTAVO_DATA: data, XDG_RUNTIME_DIR: folder },
  })
  for await (const line of createInterface({ input: npm.stdout as NonNullable<typeof npm.stdout> }))
    if (line.startsWith('{')) break
  const [postmaster] = (await readFile(join(data, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')
  const processes = [...(await processTree(npm.pid as number)), ...(await processTree(Number(postmaster)))]
  assert.ok(processes.length >= 4, 'npm, the node, PostgreSQL and what belongs to it')
  return { npm, processes }
}

/** Returns PATH without `node_modules/.bin`, so that the npm of the machine is used. */
function outerPath(): string {
  const own = join(ROOT, 'node_modules', '.bin')
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((part) => resolve(part) !== own)
    .join(delimiter)
}

const WAYS: Record<string, (running: Running) => void> = {
  'SIGTERM to npm': ({ npm }) => npm.kill('SIGTERM'),
  'SIGTERM to what npm started': ({ npm, processes }) => {
    const started = processes.find(({ pid }) => pid !== npm.pid) as SeenProcess
    process.kill(started.pid, 'SIGTERM')
  },
  'Ctrl-C, which reaches the whole group': ({ npm }) => process.kill(-(npm.pid as number), 'SIGINT'),
  'a terminal that is closed': ({ npm }) => process.kill(-(npm.pid as number), 'SIGHUP'),
  'kill -9 of npm': ({ npm }) => npm.kill('SIGKILL'),
}

test('a second start on the same data folder reports the running server and exits', async () => {
  const { npm } = await npmStart()
  const place = {
    cwd: folder,
    env: { PORT: '0', OCTAVO_DATA: join(folder, 'data'), XDG_RUNTIME_DIR: folder },
  }
  try {
    const { code, stdout, stderr } = await runOctavo(['start', '--json'], place)
    assert.equal(code, 0, stderr)
    const { url, isAlreadyRunning, adminKey } = JSON.parse(stdout)
    assert.deepEqual([isAlreadyRunning, adminKey], [true, null])
    assert.equal((await fetch(`${url}/healthz`)).status, 200)
    const inWords = await runOctavo(['start'], place)
    assert.match(inWords.stdout, new RegExp(`^Octavo is already running at ${url} \\(process \\d+\\)\\.\n`))
  } finally {
    const ended = once(npm, 'exit')
    npm.kill('SIGTERM')
    await ended
  }
})

/** Lists paths open to other users, except the folder that PostgreSQL's account has to traverse. */
async function openToOthers(data: string): Promise<string[]> {
  const entries = await readdir(data, { recursive: true, withFileTypes: true })
  const paths = [
    data,
    ...entries.filter((one) => !one.isSymbolicLink()).map((one) => join(one.parentPath, one.name)),
  ]
  const modes = await Promise.all(
    paths.map(async (path) => ({ path, mode: (await lstat(path)).mode & 0o077 })),
  )
  return modes
    .filter(({ path, mode }) => mode !== 0 && !(path === join(data, 'postgres') && mode === 0o011))
    .map(({ path }) => path)
}

test('the first start can be stopped while it publishes the sample site', async () => {
  const env = { ...PROGRAM_ENV, PORT: '0', OCTAVO_DATA: join(folder, 'first'), XDG_RUNTIME_DIR: folder }
  const child = spawn(process.execPath, [MAIN, 'start', '--demo'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = child.stdout.toArray()
  let log = ''
  let processes: SeenProcess[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    log += `${line}\n`
    if (!line.includes('Publishing the sample site')) continue
    processes = await processTree(child.pid as number)
    child.kill('SIGINT')
  }
  assert.deepEqual(await stillThere(processes, SECONDS), [])
  assert.deepEqual(await openToOthers(join(folder, 'first')), [])
  assert.doesNotMatch(log, /Published the sample site/)
  assert.equal((await printed).join(''), '')
})

for (const [name, end] of Object.entries(WAYS))
  test(`${name} ends the server and its PostgreSQL`, async () => {
    const running = await npmStart()
    const ended = once(running.npm, 'exit')
    end(running)
    const left = await stillThere(running.processes, SECONDS)
    for (const { pid } of left) process.kill(pid, 'SIGKILL')
    assert.deepEqual(left, [])
    await ended
  })
