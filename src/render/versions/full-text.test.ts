import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { sha256 } from '../../base/hash.ts'
import { createFileText, createFullText, type EarlierBytes, type TextPiece } from './full-text.ts'

let place: string
before(() => {
  place = mkdtempSync(join(tmpdir(), 'octavo-full-text-'))
})
after(() => rmSync(place, { recursive: true }))

const PIECES = ['one ', 'zwei – ', '', 'four ', 'f'.repeat(3_000_000), ' six']

test('pieces that come in any order stand in theirs, packed and in a file', async () => {
  for (const [isFile, text] of [
    [false, createFullText(6)],
    [true, createFileText(join(place, 'any'), null)],
  ] as const) {
    for (const index of [3, 0, 5, 1, 4, 2]) text.add(index, PIECES[index] as string)
    const { content, ...about } = await text.finish()
    const bytes = 'member' in content ? gunzipSync(content.member) : readFileSync(content.place)
    assert.equal('place' in content, isFile)
    assert.equal(bytes.toString(), PIECES.join(''))
    assert.deepEqual(about, { sha256: sha256(bytes), sizeBytes: bytes.length })
    text.drop()
    assert.ok(!existsSync(join(place, 'any')))
  }
})

test('what an earlier text has is copied from there, wherever it stands', async () => {
  const [made, last] = [join(place, 'made'), join(place, 'last')]
  let pieces: readonly TextPiece[] = []
  let before: Omit<EarlierBytes, 'pieces'> = {
    bytes: new Uint8Array(),
    member: new Uint8Array(),
    segments: [],
  }
  const make = async (named: readonly [string, string][], known: readonly string[]) => {
    const text = createFileText(made, { place: last, pieces })
    for (const [index, [name, words]] of named.entries()) {
      const isSame = text.addSame(index, name)
      assert.equal(isSame, known.includes(name), name)
      if (!isSame) text.add(index, words, name)
    }
    const piecesBefore = pieces
    const { content, sha256: digest } = await text.finish()
    pieces = content.pieces
    const bytes = readFileSync(made)
    assert.equal(bytes.toString(), named.map(([, words]) => words).join(''))
    assert.equal(digest, sha256(bytes))
    const packed = createFullText(1, { ...before, pieces: piecesBefore })
    for (const [index, [name, words]] of named.entries())
      if (!packed.addSame(index, name)) packed.add(index, words, name)
    const { content: whole, ...about } = await packed.finish()
    assert.ok('member' in whole)
    assert.deepEqual(
      { about, pieces: whole.pieces },
      { about: { sha256: digest, sizeBytes: bytes.length }, pieces },
    )
    assert.ok(gunzipSync(whole.member).equals(bytes))
    before = { ...whole, bytes }
    renameSync(made, last)
    text.drop()
  }
  const named = PIECES.map((words, index): [string, string] => [`p${index}`, words])
  const [a, b, c, d, e, f] = named as [[string, string], ...[string, string][]]
  const names = named.map(([name]) => name)
  await make(named, [])
  await make(named, names)
  await make([f, a, ['new', 'other '], b, e] as [string, string][], names)
  await make([e, d, c, a] as [string, string][], ['p4', 'p0'])
  writeFileSync(last, '')
  rmSync(last)
  await make([['x', 'nothing is there']], [])
})
