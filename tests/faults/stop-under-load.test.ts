/** A node that is told to stop while everything on it is at work: out within the ten seconds that containers give. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { startTestNode } from '../kit/node.ts'

const DOMAIN = 'slow.localhost'
/** Each keeps its render child busy for a second. */
const PAGES = 40
const CONTAINERS_WAIT_MS = 10_000

test('jobs, streams and requests whose body never comes do not hold up the end', async (t) => {
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
  const began = performance.now()
  await node.node.stop()
  const took = performance.now() - began
  t.diagnostic(`it took ${(took / 1000).toFixed(1)} s`)
  for (const socket of sockets) socket.destroy()
  assert.ok(took < CONTAINERS_WAIT_MS, `${took} ms`)
})

/** A stream of events, a request whose body never comes, and a connection that says nothing. */
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

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000
  while (!(await isSo())) {
    assert.ok(Date.now() < end, 'it never came to this')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
