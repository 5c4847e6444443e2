/**
 * Compares how fast one page is served by `octavo start` with logging on, by a bare node:http handler, and by nginx
 * with one worker if installed, alternating in one run. Requires wrk.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { writeSite } from '../../tests/kit/site.ts'
import { startServer } from '../../tests/kit/started-server.ts'
import { type Figures, loadOf, median } from './load.ts'

const run = promisify(execFile)
const HOST = 'docs.example.com'
const CONNECTIONS = 16
const SECONDS = Number(process.env.OCTAVO_BENCH_SECONDS ?? 5)
const ROUNDS = Number(process.env.OCTAVO_BENCH_ROUNDS ?? 3)
const NGINX_PORT = Number(process.env.OCTAVO_BENCH_NGINX_PORT ?? 18_080)

interface Server {
  name: string
  url: string
  etag: string
  /** Process id of the server. */
  pid: number
}

await using running = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'octavo-bench-'))
running.defer(() => rm(folder, { recursive: true, force: true }))
const octavo = await startOctavo()
const page = await firstAnswer(octavo.url)
await writeFile(join(folder, 'page.html'), page.body)
await writeFile(join(folder, 'page.html.gz'), gzipSync(page.body))
const servers: Server[] = [{ name: 'octavo', ...octavo, etag: page.etag }, await startBare()]
const nginx = await startNginx().catch(() => null)
if (nginx !== null) servers.push(nginx)

process.stdout.write(
  `${page.body.length} bytes, ${CONNECTIONS} connections, ${ROUNDS} × ${SECONDS} s each\n\n`,
)
process.stdout.write(
  '| asked | server | requests a second | of the bare handler | p99 ms | processor µs a request | of the bare handler |\n|---|---|---|---|---|---|---|\n',
)
for (const kind of ['whole', 'gzip', '304'] as const) {
  const found = new Map<string, Figures[]>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const server of servers)
      found.set(server.name, [...(found.get(server.name) ?? []), await load(server, kind)])
  }
  const middle = (name: string, field: keyof Figures) =>
    median((found.get(name) ?? []).map((figures) => figures[field]))
  for (const { name } of servers) {
    const [perSecond, cpu] = [middle(name, 'perSecond'), middle(name, 'cpu')]
    const ratio = perSecond / middle('bare', 'perSecond')
    const cpuRatio = cpu / middle('bare', 'cpu')
    const p99 = middle(name, 'p99').toFixed(2)
    const cells = [
      kind,
      name,
      Math.round(perSecond),
      ratio.toFixed(2),
      p99,
      Math.round(cpu),
      cpuRatio.toFixed(2),
    ]
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
  }
}

async function startOctavo(): Promise<{ url: string; pid: number }> {
  const dataFolder = join(folder, 'data')
  const place = { dataFolder, logFile: join(folder, 'log'), logLevel: 'info' } as const
  const server = running.use(await startServer({}, place))
  const site = join(folder, 'site')
  const sentence = 'Each request is answered from memory, and its text is as long as that of a usual page. '
  const section = (_: unknown, index: number) => `## Section ${index}\n\n${sentence.repeat(7)}\n`
  await writeSite(site, {
    'docs.json': JSON.stringify({
      theme: 'mint',
      name: 'Bench',
      colors: { primary: '#4F46E5' },
      navigation: { pages: ['index'] },
    }),
    'index.mdx': `---\ntitle: Page\n---\n\n${Array.from({ length: 26 }, section).join('\n')}`,
  })
  const projectId = await server.addProject(HOST, { kind: 'folder', repository: site })
  let state = await server.client.startDeployment(projectId)
  while (state.status === 'queued' || state.status === 'running') {
    await delay(200)
    state = await server.client.getDeployment(projectId, state.deploymentId)
  }
  if (state.status !== 'published') throw new Error(JSON.stringify(state))
  return { url: server.url, pid: server.pid }
}

async function firstAnswer(url: string): Promise<{ body: Buffer; etag: string }> {
  const { stdout } = await run('curl', ['-sS', '-i', '-H', `Host: ${HOST}`, url], { encoding: 'buffer' })
  const cut = stdout.indexOf('\r\n\r\n')
  const etag = /^etag: (.*)$/im.exec(stdout.subarray(0, cut).toString())?.[1]?.trim()
  if (etag === undefined) throw new Error(stdout.toString())
  return { body: stdout.subarray(cut + 4), etag }
}

async function startBare(): Promise<Server> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'bare-page.ts'), join(folder, 'page.html')],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  running.defer(() => void child.kill())
  const [url] = await once(createInterface({ input: child.stdout }), 'line')
  return { name: 'bare', url, etag: '"page"', pid: child.pid as number }
}

async function startNginx(): Promise<Server> {
  const configuration = `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;
    events { worker_connections 256; }
    http { default_type text/html; access_log off; sendfile on; gzip_static on; keepalive_requests 100000000;
      open_file_cache max=10; client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p;
      fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
      server { listen 127.0.0.1:${NGINX_PORT}; root ${folder}; index page.html; } }`
  await writeFile(join(folder, 'nginx.conf'), configuration)
  // The workers of nginx may run as another user.
  await run('chmod', ['-R', 'a+rX', folder])
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'inherit'] })
  await once(child, 'spawn')
  running.defer(async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  await delay(500)
  const url = `http://127.0.0.1:${NGINX_PORT}`
  const { headers } = await fetch(`${url}/page.html`, { headers: { 'Accept-Encoding': 'identity' } })
  const { stdout: worker } = await run('pgrep', ['-P', String(child.pid)])
  return { name: 'nginx', url: `${url}/page.html`, etag: headers.get('etag') ?? '', pid: Number(worker) }
}

async function load({ url, etag, pid }: Server, kind: 'whole' | 'gzip' | '304'): Promise<Figures> {
  const headers = [`Host: ${HOST}`]
  if (kind === 'gzip') headers.push('Accept-Encoding: gzip')
  if (kind === '304') headers.push(`If-None-Match: ${etag}`)
  const isRight = (said: string) => kind === '304' || !/Non-2xx/.test(said)
  return await loadOf({ url, pid, seconds: SECONDS, connections: CONNECTIONS }, headers, isRight)
}
