/** Git sources with internal addresses are never connected to, and reveal nothing about the internal network. */
import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { after, before, test } from 'node:test'
import { openTwoOrganizations, type TwoOrganizations } from '../kit/two-organizations.ts'

let scene: TwoOrganizations
let inside: Server
let port: number
let connections = 0

before(async () => {
  inside = createServer((socket) => {
    connections++
    socket.on('error', () => undefined)
    socket.end('220 inside\r\n')
  })
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  port = (inside.address() as AddressInfo).port
  scene = await openTwoOrganizations({ OCTAVO_WORKERS: '12' })
})
after(async () => {
  await scene[Symbol.asyncDispose]()
  inside.close()
})

const closed = 1

test('git sources never connect to internal addresses over HTTPS or SSH, and all fail with one error', async () => {
  const { other } = scene
  const hosts = [
    '127.0.0.1',
    'localhost',
    'localhost.',
    '2130706433',
    '0x7f.1',
    '127.1',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
  ]
  const addresses = hosts.flatMap((host) => [
    `https://${host}:${port}/x.git`,
    `https://${host}:${closed}/x.git`,
    `ssh://git@${host}:${port}/x.git`,
    `ssh://git@${host}:${closed}/x.git`,
  ])
  addresses.push('https://no-such-host.invalid/x.git', 'ssh://git@no-such-host.invalid/x.git')
  addresses.push('git@127.0.0.1:x.git', 'git@localhost:x.git')
  const seen = new Set<string>()
  const publish = async (repository: string) => {
    const body = {
      name: 'x',
      domains: [`h${addresses.indexOf(repository)}.example.com`],
      source: { kind: 'git', repository },
    }
    const made = await other.admin.ask('/internal/projects', { method: 'POST', body })
    const project = (await made.json()) as { id: string; source: { repository: string } }
    if (made.status === 400) return
    const { status, error } = await other.publish(project.id)
    assert.equal(status, 'failed', repository)
    seen.add((error ?? '').replace(/The repository \S+/, 'The repository X'))
  }
  await Promise.all(addresses.map(publish))
  assert.equal(connections, 0, 'nothing inside was connected to')
  assert.equal(seen.size, 1, [...seen].join('\n'))
})
