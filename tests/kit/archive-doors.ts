/** Fuzzes the three entry points for archives: verifying, reading and applying a delta. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openAppliedDelta } from '../../src/features/export/archive/apply-delta.ts'
import { DeltaError } from '../../src/features/export/archive/delta-format.ts'
import { makeDelta } from '../../src/features/export/archive/make-delta.ts'
import { checkSignature } from '../../src/features/export/archive/signature.ts'
import { extractFiles, inspectArchive } from '../../src/features/export/archive/verify-archive.ts'
import { changedArchive, type SignedArchive, tarOf } from './changed-archives.ts'
import { type Random, randomOf } from './random.ts'

interface Outcome {
  refused: number
  /** Accepted because the content is intact and only the packing differs. */
  taken: number
}

/** Returns whether `octavo verify --key` would report a valid signature. */
export async function isProved(archive: Buffer, { key }: Pick<SignedArchive, 'key'>): Promise<boolean> {
  const look = await inspectArchive(Readable.from([archive]))
  return look.faults.length === 0 && checkSignature(look, key).state === 'proved'
}

/** Unpacks the archive with `tar` and lists the result: each file with its mode, links and folders marked as such. */
export function unpackedBy(archive: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-unpacked-'))
  try {
    execFileSync('tar', ['-xzf', '-', '-C', folder], { input: archive, stdio: ['pipe', 'ignore', 'ignore'] })
    return listOf(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function listOf(folder: string): string {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
  const lines = found.map((entry) => {
    const place = join(entry.parentPath, entry.name)
    const name = place.slice(folder.length)
    if (!entry.isFile()) return `${name} ${entry.isDirectory() ? 'folder' : 'no file'}`
    return `${name} ${createHash('sha256').update(readFileSync(place)).digest('hex')}`
  })
  return lines.sort().join('\n')
}

/** Asserts that every changed archive that still verifies unpacks to the signed files. */
export async function verifyChanged(whole: SignedArchive, seed: number, count: number): Promise<Outcome> {
  const tar = tarOf(whole)
  const expected = unpackedBy(whole.bytes)
  return tryChanged(seed, count, async (random, name) => {
    const archive = changedArchive(whole, tar, random)
    if (!(await isProved(archive, whole))) return false
    assert.equal(unpackedBy(archive), expected, name)
    return true
  })
}

/** Asserts that every file read from a changed archive has its original content. */
export async function readChanged(whole: SignedArchive, seed: number, count: number): Promise<Outcome> {
  const tar = tarOf(whole)
  return tryChanged(seed, count, async (random, name) => {
    const archive = changedArchive(whole, tar, random)
    const files = await extractFiles(
      Readable.from([archive]),
      (path) => path.endsWith('.html'),
      10_000,
    ).catch((error: unknown) => {
      assert.equal((error as Error).constructor, Error, `${name}: ${error}`)
      return null
    })
    for (const [path, body] of files ?? [])
      assert.equal(body.toString(), whole.files.get(path), `${name} ${path}`)
    return files !== null
  })
}

/** Asserts that a changed delta fails or yields the archive it names, and never allocates more than 1 MiB at once. */
export async function applyChanged(t: TestContext, seed: number, count: number): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-changed-delta-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const place = (name: string, bytes: Uint8Array) => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }
  const pages = Array.from({ length: 30 }, (_, page) => gzipSync(`page ${page} `.repeat(50)))
  const now = Buffer.concat([...pages.slice(3).reverse(), gzipSync('new')])
  const old = place('old', Buffer.concat(pages))
  const whole = await buffer((await makeDelta(old, place('now', now))).bytes)
  const sizes = allocations(t)
  return tryChanged(seed, count, async (random, name) => {
    const delta = place('delta', changedDelta(whole, random))
    sizes.length = 0
    const made = await applied(old, delta).catch((error: unknown) => {
      assert.ok(error instanceof DeltaError, `${name}: ${error}`)
      return null
    })
    assert.ok(Math.max(0, ...sizes) <= 1 << 20, `${name} asked for ${Math.max(0, ...sizes)} bytes`)
    if (made !== null) assert.ok(made.equals(now), name)
    return made !== null
  })
}

async function applied(old: string, delta: string): Promise<Buffer> {
  await using made = await openAppliedDelta(old, delta)
  return await buffer(made.bytes)
}

/** Records the sizes passed to `Buffer.alloc`. */
function allocations(t: TestContext): number[] {
  const sizes: number[] = []
  const alloc = Buffer.alloc.bind(Buffer)
  t.mock.method(Buffer, 'alloc', (size: number, ...rest: []) => {
    sizes.push(size)
    return alloc(size, ...rest)
  })
  return sizes
}

const HEAD_BYTES = 'octavo delta 1\n'.length

/** Recomputes the digest, which needs no key, so the change is not caught there. */
function changedDelta(whole: Buffer, random: Random): Buffer {
  const body = Buffer.from(whole.subarray(0, -32))
  const kind = random(4)
  const length = body.readUInt32BE(HEAD_BYTES)
  const plan = gunzipSync(body.subarray(HEAD_BYTES + 4, HEAD_BYTES + 4 + length)).toString()
  let changed: Buffer = body
  if (kind === 0)
    changed.writeUInt32BE(random(2) === 0 ? random(2 ** 32) : 2 ** 32 - 1 - random(64), HEAD_BYTES)
  else if (kind === 1) changed[random(body.length)] = random(256)
  else if (kind === 2) changed = body.subarray(0, random(body.length))
  else changed = withPlan(body, length, changedPlan(plan, random))
  return Buffer.concat([changed, createHash('sha256').update(changed).digest()])
}

function withPlan(body: Buffer, length: number, plan: string): Buffer {
  const packed = gzipSync(plan)
  const head = Buffer.from(body.subarray(0, HEAD_BYTES + 4))
  head.writeUInt32BE(packed.length, HEAD_BYTES)
  return Buffer.concat([head, packed, body.subarray(HEAD_BYTES + 4 + length)])
}

const NUMBERS = ['0', '-1', '1e9', '9007199254740991', '1.5', 'null', '[]', '"7"', '4294967295']

function changedPlan(plan: string, random: Random): string {
  const numbers = [...plan.matchAll(/\d+/g)]
  const found = numbers[random(numbers.length)]
  if (found === undefined) return plan
  const number = NUMBERS[random(NUMBERS.length + 1)] ?? String(random(5000))
  return plan.slice(0, found.index) + number + plan.slice(found.index + found[0].length)
}

async function tryChanged(
  seed: number,
  count: number,
  isTaken: (random: Random, name: string) => Promise<boolean>,
): Promise<Outcome> {
  const outcome = { refused: 0, taken: 0 }
  for (let index = 0; index < count; index++) {
    const taken = await isTaken(randomOf(seed + index), `seed ${seed + index}`)
    outcome[taken ? 'taken' : 'refused']++
  }
  return outcome
}
