/** Runs PgBouncer in transaction mode in front of the test server, if it is installed. */
import { spawn } from 'node:child_process'
import { access, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { until } from './until.ts'

const PROGRAMS = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer']

export interface Pooler extends AsyncDisposable {
  /** Returns the URL of the same database through the pooler. */
  urlOf(directUrl: string): string
}

/** Returns null if PgBouncer is not installed. `size` is the number of server connections per database. */
export async function startPooler(serverUrl: string, size = 20): Promise<Pooler | null> {
  const program = await Array.fromAsync(PROGRAMS, (path) =>
    access(path).then(
      () => path,
      () => null,
    ),
  )
  const found = program.find((path) => path !== null)
  if (!found) return null
  const server = new URL(serverUrl)
  const socketFolder = server.searchParams.get('host') ?? server.hostname
  const user = decodeURIComponent(server.username)
  // PgBouncer refuses to run as root. Run it as the owner of the server's socket, who may read files in that folder.
  const owner = socketFolder.startsWith('/') ? await stat(socketFolder) : null
  const identity = process.getuid?.() === 0 && owner !== null ? { uid: owner.uid, gid: owner.gid } : null
  const folder = await mkdtemp(join(identity === null ? tmpdir() : socketFolder, 'pooler-'))
  const port = await freePort()
  const login = [
    `user=${user}`,
    server.password === '' ? '' : `password=${decodeURIComponent(server.password)}`,
  ]
  const settings = join(folder, 'pgbouncer.ini')
  await writeFile(
    settings,
    `[databases]
* = host=${socketFolder} port=${server.port || 5432} ${login.join(' ')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${size}
max_client_conn = 2000
`,
    { mode: 0o644 },
  )
  if (identity !== null) await chown(folder, identity.uid, identity.gid)
  const child = spawn(found, [settings], { stdio: ['ignore', 'ignore', 'pipe'], ...identity })
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  const urlOf = (directUrl: string) => `postgres://${user}@127.0.0.1:${port}${new URL(directUrl).pathname}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${log}`)
    return canConnect(urlOf(serverUrl))
  }, 'pgbouncer to answer')
  return {
    urlOf,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function canConnect(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
