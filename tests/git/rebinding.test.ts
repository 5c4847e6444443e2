/**
 * DNS rebinding over https and ssh: connections must use the address that was checked, even if the name resolves to
 * another one afterwards. The machine itself resolves the name to an internal address, so that any second lookup leads
 * there. A second loopback address stands for the public internet.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { createAddressGuard } from '../../src/base/net/address-guard.ts'
import { openTree } from '../../src/git/checkout.ts'
import { GitError } from '../../src/git/git-error.ts'
import { type DnsServer, startDnsServer } from '../kit/dns-server.ts'
import { createTestRepository, SOURCE_ROW, type TestRepository } from '../kit/git.ts'
import { type SshServer, startSshServer } from '../kit/ssh-server.ts'

const NAME = 'localhost'
const INSIDE = '127.0.0.1'
const OUTSIDE = '127.0.0.2'

/** Git does not include ssh. */
const skip = spawnSync('ssh', ['-V']).error ? 'there is no ssh on this machine' : false

const resources = new AsyncDisposableStack()
let dns: DnsServer
let repository: TestRepository
let ssh: SshServer
let scratch: string
let folders = 0

before(async () => {
  dns = resources.use(await startDnsServer())
  repository = resources.use(await createTestRepository({ 'index.mdx': 'Words.' }))
  ssh = resources.use(await startSshServer({ folder: dirname(repository.folder), host: OUTSIDE }))
  scratch = await mkdtemp(join(tmpdir(), 'octavo-rebinding-'))
  resources.defer(() => rm(scratch, { recursive: true, force: true }))
})
after(() => resources.disposeAsync())

/** Counts connections to a port and closes each of them. */
async function listenAt(
  host: string,
  port: number,
): Promise<{ server: Server; port: number; came(): number }> {
  let came = 0
  const server = createServer((socket) => {
    came += 1
    socket.on('error', () => {}).destroy()
  }).listen(port, host)
  await once(server, 'listening')
  resources.defer(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { server, port: (server.address() as { port: number }).port, came: () => came }
}

/** Resolves names with the DNS server of the test, which returns these addresses in order. */
function open(address: string, port: number, answers: readonly string[]) {
  dns.hosts.set(NAME, answers)
  dns.asked.length = 0
  const resolver = new Resolver()
  resolver.setServers([dns.address])
  const guard = createAddressGuard(
    { resolve: (name) => resolver.resolve4(name), isPublic: (found) => found === OUTSIDE },
    [port],
  )
  return openTree({
    projectId: SOURCE_ROW.id,
    source: { kind: 'git', repository: address },
    mirrorsFolder: join(scratch, String(folders++)),
    settings: { guard },
  })
}

const sshAddress = () => `ssh://git@${NAME}:${ssh.port}/${basename(repository.folder)}`
const isUnreachable = (error: unknown) =>
  error instanceof GitError && error.reason === 'repository_unreachable'

test('over ssh, connects to the checked address regardless of local name resolution', {
  skip,
}, async () => {
  const inside = await listenAt(INSIDE, ssh.port)
  await using tree = await open(sshAddress(), ssh.port, [OUTSIDE])
  assert.deepEqual([...tree.files.keys()], ['index.mdx'])
  assert.deepEqual(
    dns.asked,
    dns.asked.map(() => NAME),
  )
  assert.ok(ssh.commands.length > 0, 'the repository came over ssh')
  assert.equal(inside.came(), 0, 'nobody came to the inside')
})

test('over ssh, checks each connection and rejects a name that rebinds to a private address', {
  skip,
}, async () => {
  const before = ssh.commands.length
  await assert.rejects(open(sshAddress(), ssh.port, [OUTSIDE, INSIDE]), isUnreachable)
  assert.ok(ssh.commands.length > before, 'the first connection was made')
  assert.equal(dns.asked.length, 2)
})

test('over https, connects to the checked address regardless of later DNS answers', async () => {
  const outside = await listenAt(OUTSIDE, 0)
  const inside = await listenAt(INSIDE, outside.port)
  const opening = open(`https://${NAME}:${outside.port}/x.git`, outside.port, [OUTSIDE, INSIDE])
  await assert.rejects(opening, isUnreachable)
  assert.ok(outside.came() > 0, 'the checked address was connected to')
  assert.equal(inside.came(), 0, 'nobody came to the inside')
})

for (const protocol of ['https', 'ssh'])
  test(`over ${protocol}, never connects to an address that is private when checked`, async () => {
    const inside = await listenAt(INSIDE, 0)
    const opening = open(`${protocol}://git@${NAME}:${inside.port}/x.git`, inside.port, [INSIDE])
    await assert.rejects(opening, isUnreachable)
    assert.equal(inside.came(), 0, 'nobody came')
  })
