/** Servers that never stop sending: git stays within its limits of memory, disk and time. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { git, spawnGit } from '../../src/git/git.ts'
import { openMirror } from '../../src/git/mirror.ts'
import { parseRepository } from '../../src/git/repository.ts'
import { createTestRepository, listedGuard, SOURCE_ROW, startGitServer } from '../kit/git.ts'

const scratch = await mkdtemp(join(tmpdir(), 'octavo-endless-'))
after(() => rm(scratch, { recursive: true, force: true }))
const settings = { guard: listedGuard }

const packet = (text: string | Buffer) => {
  const body = Buffer.from(text)
  return Buffer.concat([Buffer.from((body.length + 4).toString(16).padStart(4, '0')), body])
}
const COMMIT = '1'.repeat(40)

/** Sends until the client disconnects. */
async function sendWithoutEnd(response: ServerResponse, part: Buffer): Promise<void> {
  const gone = once(response, 'close')
  while (!response.destroyed && !response.closed)
    if (!response.write(part)) await Promise.race([once(response, 'drain'), gone])
}

function advertise({ url }: IncomingMessage, response: ServerResponse, refs: string): boolean {
  if (!url?.includes('info/refs')) return false
  response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' })
  response.write(packet('# service=git-upload-pack\n'))
  response.write(`0000${refs}`)
  return true
}

const mirrorOf = (url: string, name: string, more: object = {}) =>
  openMirror({
    projectId: SOURCE_ROW.id,
    settings,
    folder: join(scratch, name),
    repository: parseRepository(url, { allowHttp: true }),
    ...more,
  })

test('aborts an endless list of refs within a memory limit', async () => {
  let ref = 0
  const first = packet(`${COMMIT} refs/heads/main\0 symref=HEAD:refs/heads/main agent=x\n`)
  const more = () =>
    Buffer.concat(
      Array.from({ length: 1000 }, () => packet(`${COMMIT} refs/heads/b${ref++}-${'x'.repeat(900)}\n`)),
    )
  await using server = await startGitServer({
    folder: scratch,
    intercept(request, response) {
      if (!advertise(request, response, first.toString())) return false
      void sendWithoutEnd(response, more())
      return true
    },
  })
  await assert.rejects(mirrorOf(`${server.url}/x`, 'refs').fetchCommit(null), {
    name: 'GitError',
    reason: 'too_large',
    message: /server sends too much\. The limit for git is 512 MB of memory/,
  })
})

test('aborts an endless pack and leaves nothing of it in the mirror', async () => {
  const refs = `${packet(`${COMMIT} HEAD\0no-progress side-band-64k agent=x\n`)}${packet(`${COMMIT} refs/heads/main\n`)}0000`
  await using server = await startGitServer({
    folder: scratch,
    intercept(request, response) {
      if (advertise(request, response, refs)) return void response.end() === undefined
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' })
      response.write(packet('NAK\n'))
      const head = Buffer.from('PACK\0\0\0\x02\0\0\0\x01', 'latin1')
      // A blob of 2^45 bytes, in stored (uncompressed) deflate blocks.
      const blob = Buffer.from([0xb0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20, 0x78, 0x01])
      const side = (bytes: Buffer) => packet(Buffer.concat([Buffer.from([1]), bytes]))
      response.write(side(Buffer.concat([head, blob])))
      const block = Buffer.alloc(30_000, 'x')
      const size = Buffer.from([
        0,
        block.length & 255,
        block.length >> 8,
        ~block.length & 255,
        (~block.length >> 8) & 255,
      ])
      void sendWithoutEnd(response, side(Buffer.concat([size, block])))
      return true
    },
  })
  const mirror = mirrorOf(`${server.url}/x`, 'pack', { maxFetchBytes: 10_000_000 })
  await assert.rejects(mirror.fetchCommit('main'), { name: 'GitError', reason: 'too_large' })
  assert.equal(await bytesBelow(join(scratch, 'pack')), 0)
})

test('a mirror stays within its size limit while a branch keeps changing', async () => {
  await using repository = await createTestRepository({ 'index.mdx': 'x' })
  await using server = await startGitServer({ folder: dirname(repository.folder) })
  const mirror = mirrorOf(`${server.url}/${basename(repository.folder)}`, 'many', {
    maxFetchBytes: 600_000,
    maxMirrorBytes: 1_500_000,
  })
  for (let round = 0; round < 6; round++) {
    const commit = await repository.commit({ 'noise.txt': randomBytes(300_000).toString('base64') })
    assert.equal(await mirror.fetchCommit(null), commit)
    assert.ok((await bytesBelow(join(scratch, 'many'))) < 1_600_000)
  }
})

test('git processes have resource limits and die with the process that started them', {
  skip: process.platform !== 'linux',
}, async () => {
  const limits = (await git(['-c', 'alias.limits=!cat /proc/self/limits #', 'limits'])).toString()
  assert.match(limits, /^Max address space +1073741824 /m)
  assert.match(limits, /^Max cpu time +600 /m)
  assert.match(limits, /^Max core file size +0 /m)
  const child = spawnGit(['-c', 'alias.wait=!sleep 300', 'wait'])
  child.stdio[3]?.destroy()
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL'])
})

test('aborts a git call with endless stderr output', async () => {
  const call = ['-c', 'alias.say=!yes words >&2', 'say']
  await assert.rejects(git(call), { name: 'GitError', reason: 'too_large' })
})

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /pack/.test(entry.name))
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
