import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openAppliedDelta } from './apply-delta.ts'
import { DeltaError, encodeDeltaHeader } from './delta-format.ts'
import { makeDelta } from './make-delta.ts'

const CHANGES = 200
const folder = mkdtempSync(join(tmpdir(), 'octavo-delta-'))
after(() => rmSync(folder, { recursive: true }))

function write(name: string, bytes: Uint8Array): string {
  const place = join(folder, name)
  writeFileSync(place, bytes)
  return place
}

/** A minimal archive as far as deltas are concerned: a sequence of gzip members. */
function archiveOf(...texts: (string | Uint8Array)[]): Buffer {
  return Buffer.concat(texts.map((text) => gzipSync(text)))
}

async function deltaOf(old: string, now: string): Promise<Buffer> {
  return buffer((await makeDelta(old, now)).bytes)
}

async function applied(old: string, delta: string): Promise<Buffer> {
  await using made = await openAppliedDelta(old, delta)
  return await buffer(made.bytes)
}

const film = randomBytes(3 << 20)
const texts = Array.from({ length: 200 }, (_, place) => `page ${place} ${randomBytes(600).toString('hex')}`)
const oldArchive = archiveOf(film, ...texts)

const CASES: Record<string, Buffer> = {
  'one page changed': archiveOf(film, ...texts.with(7, 'other words')),
  'pages added, removed and moved': archiveOf('new', ...texts.slice(20).reverse(), film),
  'the same': oldArchive,
  'nothing in common': randomBytes(50_000),
  nothing: Buffer.alloc(0),
  'a large file that has grown': archiveOf(Buffer.concat([film, randomBytes(2 << 20)]), ...texts),
  'cut in the middle': oldArchive.subarray(0, oldArchive.length >> 1),
}

test('an archive and its delta rebuild the other archive byte for byte', async () => {
  const old = write('old', oldArchive)
  for (const [name, archive] of Object.entries(CASES)) {
    const delta = await deltaOf(old, write('now', archive))
    assert.ok((await applied(old, write('delta', delta))).equals(archive), name)
  }
  const empty = write('empty', Buffer.alloc(0))
  const delta = write('delta', await deltaOf(empty, old))
  assert.ok((await applied(empty, delta)).equals(oldArchive), 'of nothing')
})

test('a delta leaves out what both archives contain', async () => {
  const old = write('old', oldArchive)
  const small = await deltaOf(old, write('now', CASES['one page changed'] as Buffer))
  assert.ok(small.length < 1000, `${small.length} bytes for one page`)
  assert.ok((await deltaOf(old, old)).length < 1000)
})

test(`rejects each of ${CHANGES} one-byte changes of a delta and each truncation`, async () => {
  const old = write('old', oldArchive)
  const whole = await deltaOf(old, write('now', CASES['pages added, removed and moved'] as Buffer))
  for (let change = 0; change < CHANGES; change++) {
    const bent = Buffer.from(whole)
    const place = Math.floor((change / CHANGES) * bent.length)
    bent[place] = (bent[place] as number) ^ (1 + (change % 255))
    await assert.rejects(applied(old, write('bent', bent)), DeltaError, `byte ${place}`)
  }
  const cut = write('cut', whole)
  for (const length of [whole.length - 1, whole.length >> 1, 60, 16, 3, 0]) {
    truncateSync(cut, length)
    await assert.rejects(applied(old, cut), DeltaError, `cut at ${length}`)
  }
})

test('rejects another archive, the new archive and a folder with a remedy', async () => {
  const old = write('old', oldArchive)
  const now = write('now', CASES['one page changed'] as Buffer)
  const delta = write('delta', await deltaOf(old, now))
  const bent = Buffer.from(oldArchive)
  bent[5000] = (bent[5000] as number) ^ 1
  await assert.rejects(
    applied(write('other', bent), delta),
    /not the original archive .*octavo verify .* download/s,
  )
  await assert.rejects(applied(now, delta), /nothing to apply/)
  await assert.rejects(applied(folder, delta), /is a folder/)
  await assert.rejects(applied(join(folder, 'gone'), delta), /cannot be read/)
  await assert.rejects(applied(old, now), /is not a delta/)
  await assert.rejects(applied(old, join(folder, 'gone')), /cannot be read/)
})

test('rejects a delta with a false plan even if its checksum is valid', async () => {
  const old = write('old', oldArchive)
  const { plan } = await makeDelta(old, old)
  const { from, to } = plan
  const lies: object[] = [
    { ...plan, steps: [[0, from.sizeBytes + 1]] },
    { ...plan, steps: [[-1, to.sizeBytes]] },
    { ...plan, steps: [to.sizeBytes] },
    { ...plan, steps: [[from.sizeBytes, to.sizeBytes]] },
    { ...plan, steps: [] },
    { ...plan, steps: [['0', '1']] },
    { ...plan, to: { ...to, sha256: 'f'.repeat(64) } },
    { ...plan, to: null },
    [],
  ]
  for (const lie of lies) {
    const head = encodeDeltaHeader(lie as typeof plan)
    const digest = createHash('sha256').update(head).digest()
    const file = write('lie', Buffer.concat([head, digest]))
    await assert.rejects(applied(old, file), DeltaError, JSON.stringify(lie).slice(0, 100))
  }
  assert.ok(readFileSync(old).equals(oldArchive))
})
