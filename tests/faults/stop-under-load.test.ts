import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { silentLog } from '../../src/base/log.ts'
import { openDatabase } from '../../src/database/database.ts'
import { startTestNode } from '../kit/node.ts'
import { until } from '../kit/until.ts'

const DOMAIN = 'slow.localhost'
/** Each page blocks its render process for a second. */
const PAGES = 40

test('jobs, event streams and requests without a body do not delay the shutdown', async () => {
  await using node = await startTestNode({}, { hasWorkerProcess: true })
  const names = Array.from({ length: PAGES }, (_, n) => `page-${n}`)
  const page = (name: string) => `---\ntitle: ${name}\n---\n\n{(() => { for (;;) {} })()}\n`
  await node.addSite(DOMAIN, {
    'docs.json': JSON.stringify({ name: 'Slow', theme: 'mint', navigation: { pages: names } }),
    ...Object.fromEntries(names.map((name) => [`${name}.mdx`, page(name)])),
  })
  const { jobId } = await node.client.startExport({ domain: DOMAIN })
  await until(async () => (await node.client.getExport(jobId)).status === 'running')
  const { hostname, port } = new URL(node.url)
  const sockets = await Promise.all(
    Array.from({ length: 30 }, (_, n) => open(Number(port), hostname, n % 3, { jobId, key: node.key })),
  )
  await node.node.stop()
  await using database = await openDatabase({ url: node.databaseUrl, poolSize: 1, log: silentLog })
  const { rows } = await database.pool.query('SELECT status FROM static_exports WHERE id = $1', [jobId])
  assert.match(rows[0]?.status, /^(?:queued|running)$/, 'the pages take longer than the end')
  for (const socket of sockets) socket.destroy()
})

/** Opens, by kind, an event stream, a request whose body never arrives, or an idle connection. */
async function open(
  port: number,
  host: string,
  kind: number,
  { jobId, key }: { jobId: string; key: string },
): Promise<Socket> {
  const socket = connect(port, host === 'localhost' ? '127.0.0.1' : host)
  socket.on('error', () => {})
  await once(socket, 'connect')
  const head = `Host: localhost:${port}\r\nAuthorization: Bearer ${key}\r\n`
  if (kind === 0) socket.write(`GET /v1/static-export/jobs/${jobId}/events HTTP/1.1\r\n${head}\r\n`)
  if (kind === 1)
    socket.write(
      `POST /v1/static-export/jobs HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    )
  if (kind === 0) await once(socket, 'data')
  return socket
}
