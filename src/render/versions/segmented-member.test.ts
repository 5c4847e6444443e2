import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { createMember, type EarlierMember, isSegmented } from './segmented-member.ts'

const PIECES = Array.from({ length: 1600 }, (_, index): [string, string] => [
  `piece ${index}`,
  `Line ${index * 7919} of a page.\n`.repeat(40),
])

async function pack(
  level: number,
  pieces: readonly [string, string][],
  earlier: EarlierMember | null = null,
) {
  const writer = createMember(level, earlier)
  for (const [name, text] of pieces) writer.add(name, Buffer.from(text))
  return { ...(await writer.finish()), names: pieces.map(([name]) => name) }
}

const textOf = (pieces: readonly [string, string][]) => pieces.map(([, text]) => text).join('')

test('segments without a changed piece are copied, also behind a piece that is new', async () => {
  const last = await pack(9, PIECES)
  assert.equal(gunzipSync(last.member).toString(), textOf(PIECES))
  assert.ok(last.segments.length > 4)
  assert.ok(isSegmented(last))
  const changed: [string, string][] = PIECES.with(200, ['other', 'Other words.\n']).toSpliced(10, 0, [
    'new',
    'New words.\n',
  ])
  const now = await pack(1, changed, last)
  assert.equal(gunzipSync(now.member).toString(), textOf(changed))
  // Two levels never pack these texts the same, so what is the same was copied.
  const packed = ({ member, segments }: Omit<EarlierMember, 'names'>) => {
    const ends = segments.map((_, at) =>
      segments.slice(0, at + 1).reduce((sum, [, bytes]) => sum + bytes, 10),
    )
    return ends.map((end, at) => Buffer.from(member.subarray(ends[at - 1] ?? 10, end)).toString('base64'))
  }
  const before = new Set(packed(last))
  const fresh = packed(now).filter((segment) => !before.has(segment))
  assert.ok(fresh.length > 0 && fresh.length <= 4, `${fresh.length} of ${now.segments.length} were packed`)
})

test('pieces without a name are packed anew, and a text may be empty', async () => {
  const unnamed = PIECES.map(([, text]): [string, string] => ['', text])
  const last = await pack(9, unnamed)
  assert.deepEqual((await pack(1, unnamed, last)).member, (await pack(1, unnamed)).member)
  const empty = await pack(6, [])
  assert.equal(gunzipSync(empty.member).length, 0)
  assert.ok(isSegmented(empty))
})

test('a member that was packed otherwise is told from its numbers', async () => {
  const last = await pack(9, PIECES)
  const other = await pack(1, PIECES)
  assert.ok(!isSegmented({ ...last, member: other.member }))
  assert.ok(!isSegmented({ ...last, names: last.names.slice(1) }))
})
