/** One large text made piece by piece: what is kept of it is compressed, so that a large site needs little memory. */
import { createHash } from 'node:crypto'
import { createGzip, type Gzip } from 'node:zlib'

export interface FullText {
  /** Pieces may come in any order; they are put together in that of their index, which begins at 0. */
  add(index: number, text: string): void
  /** All pieces as one gzip member. To be called when every index has come. */
  finish(): Promise<{ sha256: string; sizeBytes: number; member: Uint8Array }>
}

/** `level`: of compression, as much as what is kept is worth. */
export function createFullText(level: number): FullText {
  const hash = createHash('sha256')
  const gzip = createGzip({ level })
  const waiting = new Map<number, string>()
  const chunks = collectChunks(gzip)
  let next = 0
  let sizeBytes = 0
  return {
    add: (index, text) => {
      waiting.set(index, text)
      for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
        waiting.delete(next)
        next += 1
        const bytes = Buffer.from(ready)
        hash.update(bytes)
        sizeBytes += bytes.byteLength
        gzip.write(bytes)
      }
    },
    finish: async () => {
      gzip.end()
      const member = await chunks
      // The field for the system says that it is unknown, as in every other member.
      member[9] = 255
      return { sha256: hash.digest('hex'), sizeBytes, member }
    },
  }
}

async function collectChunks(gzip: Gzip): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of gzip) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
