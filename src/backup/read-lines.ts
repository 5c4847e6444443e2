/** Reads compressed lines of a backup and verifies them against the manifest at the end. */
import { createHash } from 'node:crypto'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { BackupError, type BackupStore, listKey } from './backup-store.ts'
import type { FileFacts, Manifest } from './manifest.ts'

/** The returned stream fails with BackupError at its end if the file differs from the one that was written. */
export async function readLines(store: BackupStore, key: string, facts: FileFacts): Promise<Readable> {
  const hash = createHash('sha256')
  const stored = await store.get(key)
  const verify = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
    flush(done) {
      done(hash.digest('hex') === facts.sha256 ? null : new BackupError(`${key} is damaged.`))
    },
  })
  const lines = new PassThrough()
  // A failure destroys `lines`, whose reader reports it.
  pipeline(stored, verify, createZstdDecompress(), lines).catch(() => undefined)
  return lines
}

export async function* readObjectKeys(store: BackupStore, { id, objects }: Manifest): AsyncGenerator<string> {
  let rest = ''
  const lines = await readLines(store, listKey(id), objects.list)
  for await (const text of lines.setEncoding('utf8') as AsyncIterable<string>) {
    const parts = (rest + text).split('\n')
    rest = parts.pop() as string
    yield* parts
  }
}
