/**
 * A signed archive and ways to change it. Unkeyed seals are recomputed after a change, because an attacker can do that
 * too.
 */
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { measureBundle, openBundle } from '../../src/features/export/archive/archive.ts'
import { archiveSeal, SEAL_BYTES } from '../../src/features/export/archive/archive-seal.ts'
import { createSigner, readPublicKey } from '../../src/features/export/archive/signature.ts'
import { TAR_END, tarHeader, tarPadding } from '../../src/features/export/archive/tar.ts'
import { putBlob } from '../../src/render/versions/blobs.ts'
import type { SiteManifest } from '../../src/render/versions/manifest.ts'
import { openMemoryStore } from './memory-store.ts'
import { oneOf, type Random } from './random.ts'

const BLOCK = 512
const EVIL = 'changed on the way'

export interface SignedArchive {
  bytes: Buffer
  key: KeyObject
  /** Unpacked files, by path. */
  files: ReadonlyMap<string, string>
}

export async function signedArchive(): Promise<SignedArchive> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const signer = createSigner(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string)
  const contents: Record<string, string> = {
    'index.html': '<h1>The page</h1>',
    'b/\u00fc.html': 'an accent',
    [`${'d'.repeat(120)}/${'e'.repeat(120)}.html`]: 'a long name',
    'empty.txt': '',
    'a/whole-block.txt': 'x'.repeat(BLOCK),
  }
  await using objects = openMemoryStore()
  const files: SiteManifest['files'] = {}
  for (const [path, content] of Object.entries(contents)) files[path] = await putBlob(objects, path, content)
  const about = { format: 2 as const, octavo: '0.0.0', revision: 'content:0', pageCount: 3 }
  const manifest = JSON.stringify({ ...about, signer: signer.keyId, files })
  contents['manifest.json'] = manifest
  contents['manifest.json.sig'] = Buffer.from(signer.sign(Buffer.from(manifest))).toString('latin1')
  files['manifest.json'] = await putBlob(objects, 'manifest.json', manifest)
  files['manifest.json.sig'] = await putBlob(
    objects,
    'manifest.json.sig',
    Buffer.from(contents['manifest.json.sig'], 'latin1'),
  )
  const features = { search: false, assistant: false, analytics: false, playground: false, export: true }
  const whole = { ...about, deployment: 'air-gapped' as const, features, files, redirects: [] }
  const { signal } = new AbortController()
  const bytes = await buffer(openBundle(objects, whole, await measureBundle(objects, whole, signal)))
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string
  return { bytes, key: readPublicKey(pem), files: new Map(Object.entries(contents)) }
}

function sealed(packed: Uint8Array): Buffer {
  return Buffer.concat([packed, archiveSeal(createHash('sha256').update(packed).digest())])
}

function packedTar(tar: Uint8Array): Buffer {
  return sealed(gzipSync(tar, { level: 1 }))
}

export function tarOf({ bytes }: SignedArchive): Buffer {
  return gunzipSync(bytes)
}

/** Splits a tar into entries, each including its preceding extended headers. */
function entriesOf(tar: Buffer): Buffer[] {
  const entries: Buffer[] = []
  let start = 0
  for (let at = 0; tar[at] !== 0 && at < tar.length; ) {
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8)
    const isOwn = tar[at + 156] === 0x78
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
    if (isOwn) continue
    entries.push(tar.subarray(start, at))
    start = at
  }
  return entries
}

function joined(...entries: readonly Uint8Array[]): Buffer {
  return Buffer.concat([...entries, TAR_END])
}

/** Creates an entry of any type with a valid checksum. */
function entryOf(
  path: string,
  body: string,
  { type = '0', link = '', mode = '' }: { type?: string; link?: string; mode?: string } = {},
): Buffer {
  const header = Buffer.from(tarHeader(path, Buffer.byteLength(body)))
  const main = header.subarray(header.length - BLOCK)
  main.write(type, 156, 'latin1')
  main.write(link, 157, 'latin1')
  main.write(mode, 100, 'latin1')
  sum(main)
  return Buffer.concat([header, Buffer.from(body), tarPadding(Buffer.byteLength(body))])
}

function paxEntry(records: Record<string, string>, type = 'x'): Buffer {
  const body = Object.entries(records)
    .map(([key, value]) => {
      const rest = Buffer.byteLength(` ${key}=${value}\n`)
      const length = rest + String(rest + String(rest).length).length
      return `${length} ${key}=${value}\n`
    })
    .join('')
  return entryOf('pax/header', body, { type })
}

function sum(header: Buffer): void {
  header.write('        ', 148, 'latin1')
  let total = 0
  for (const byte of header) total += byte
  header.write(`${total.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
}

/** Known attacks on programs that unpack archives, each with a name that describes it. */
export function tamperedArchives(whole: SignedArchive): [name: string, archive: Buffer][] {
  const entries = entriesOf(tarOf(whole))
  const page = 'index.html'
  const behind = (...more: Buffer[]) => packedTar(joined(...entries, ...more))
  const before = (...more: Buffer[]) => packedTar(joined(...more, ...entries))
  const link = { link: '../../elsewhere' }
  const types = [...'1234567ASKLNMVDgZ\0']
  return [
    ...types.map((type): [string, Buffer] => [
      `an entry of the type ${JSON.stringify(type)}`,
      behind(entryOf(page, type === '2' || type === '1' ? '' : EVIL, { type, ...link })),
    ]),
    ['a link before the files below it', before(entryOf('b', '', { type: '2', link: '/tmp' }))],
    ['a file twice, the right one last', before(entryOf(page, EVIL))],
    ['a file twice, the right one first', behind(entryOf(page, EVIL))],
    ['two manifests', before(entryOf('manifest.json', '{}'))],
    ['two signatures', before(entryOf('manifest.json.sig', 'x'.repeat(64)))],
    ['a file under another spelling', behind(entryOf('./index.html', EVIL))],
    ['a file above', behind(entryOf('../index.html', EVIL))],
    ['a name that ends at a NUL', behind(paxEntry({ path: 'index.html\0x' }), entryOf('y', EVIL))],
    [
      'a set-user-id file',
      packedTar(
        joined(
          entryOf('a/whole-block.txt', 'x'.repeat(BLOCK), { mode: '0004755' }),
          ...entries.filter((entry) => !entry.includes('whole-block')),
        ),
      ),
    ],
    ['a pax record that names a link', behind(paxEntry({ linkpath: '/etc/passwd' }), entryOf('z', EVIL))],
    ['a pax record of a sparse file', before(paxEntry({ 'GNU.sparse.name': page, 'GNU.sparse.major': '1' }))],
    ['a global pax record', before(paxEntry({ path: page }, 'g'))],
    ['a second pax header', behind(paxEntry({ path: 'a' }), paxEntry({ path: page }), entryOf('q', EVIL))],
    ['entries behind the end', packedTar(Buffer.concat([joined(...entries), entryOf(page, EVIL), TAR_END]))],
    [
      'entries behind one empty block',
      packedTar(Buffer.concat([...entries, Buffer.alloc(BLOCK), entryOf(page, EVIL), TAR_END])),
    ],
    [
      'a member behind zeros',
      sealed(
        Buffer.concat([gzipSync(joined(...entries)), Buffer.alloc(8), gzipSync(joined(entryOf(page, EVIL)))]),
      ),
    ],
    [
      'a second archive behind the seal',
      Buffer.concat([whole.bytes, packedTar(joined(entryOf(page, EVIL)))]),
    ],
    [
      'words in the padding',
      packedTar(withByte(joined(...entries), (entries[0] as Buffer).length - 1, 0x41)),
    ],
    ['no end', packedTar(Buffer.concat(entries))],
  ]
}

function withByte(bytes: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = value
  return changed
}

/** Makes one or more random changes to the packed content or to the packing. */
export function changedArchive(whole: SignedArchive, tar: Buffer, random: Random): Buffer {
  const kind = random(10)
  if (kind === 0) return sealed(flipped(whole.bytes.subarray(0, -SEAL_BYTES), random))
  if (kind === 1) return flipped(whole.bytes, random)
  if (kind === 2) return oneOf(random, tamperedArchives(whole))[1]
  if (kind === 3) return packedTar(flipped(tar, random))
  if (kind === 4) return packedTar(tar.subarray(0, random(tar.length)))
  if (kind === 5) return sealed(Buffer.concat([gzipSync(tar), Buffer.alloc(random(64), random(256))]))
  const entries = entriesOf(tar)
  for (let changes = 1 + random(3); changes > 0; changes--) changeEntries(entries, random)
  return packedTar(joined(...entries))
}

function changeEntries(entries: Buffer[], random: Random): void {
  const at = random(entries.length)
  const entry = entries[at] ?? Buffer.alloc(BLOCK)
  const change = random(6)
  if (change === 0) entries.splice(random(entries.length + 1), 0, strangeEntry(random))
  else if (change === 1) entries.splice(at, 1)
  else if (change === 2) entries.splice(random(entries.length + 1), 0, entry)
  else if (change === 3) entries[at] = headerChanged(entry, random)
  else if (change === 4) entries.splice(at, 1, ...entries.splice(random(entries.length), 1, entry))
  else entries[at] = flipped(entry, random)
}

const NAMES = [
  'index.html',
  'INDEX.HTML',
  'b',
  'b/\u00fc.html',
  './index.html',
  'manifest.json',
  'new.html',
  '/tmp/x',
]
const KEYS = [
  'path',
  'size',
  'linkpath',
  'mtime',
  'uid',
  'GNU.sparse.name',
  'SCHILY.xattr.user.x',
  'hdrcharset',
]

function strangeEntry(random: Random): Buffer {
  const name = oneOf(random, NAMES)
  const type = oneOf(random, [...'0000001234567xgLKSV\0'])
  const entry = entryOf(name, EVIL.repeat(random(40)), {
    type,
    link: oneOf(random, ['', 'index.html', '/etc']),
  })
  if (random(3) > 0) return entry
  return Buffer.concat([
    paxEntry({ [oneOf(random, KEYS)]: oneOf(random, [...NAMES, '18', '99999999999']) }),
    entry,
  ])
}

/** Changes a random header byte and updates the checksum. */
function headerChanged(entry: Buffer, random: Random): Buffer {
  const changed = Buffer.from(entry)
  const at = oneOf(random, [random(500), 0, 100, 124, 135, 156, 157, 257, 345])
  changed[at] = random(256)
  sum(changed.subarray(0, BLOCK))
  return changed
}

function flipped(bytes: Buffer, random: Random): Buffer {
  const changed = Buffer.from(bytes)
  for (let flips = 1 + random(3); flips > 0; flips--) {
    const at = random(changed.length)
    changed[at] = (changed[at] ?? 0) ^ (1 + random(255))
  }
  return changed
}
