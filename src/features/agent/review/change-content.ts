/** What a changed file holds: text, or a picture, whose bytes cross to the tools' process and back as text does. */
import { sha256 } from '../../../base/hash.ts'
import type { NewCommit } from '../../../git/push/write-commit.ts'

export interface Picture {
  /** SHA-256 of the bytes. */
  digest: string
  base64: string
}

export type Content = string | Picture

/** Content of a file that was written; null for one that was deleted. */
export type Changes = ReadonlyMap<string, Content | null>

/** Bytes of one picture; those of all changed files together are a cap of the job. */
export const MAX_PICTURE_BYTES = 5 << 20

const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|bmp)$/i

/** A drawing in SVG is a text. */
export function isPicture(path: string): boolean {
  return PICTURE.test(path)
}

export function pictureOf(bytes: Uint8Array): Picture {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { digest: sha256(buffer), base64: buffer.toString('base64') }
}

export function bytesOf(content: Content): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content.base64, 'base64')
}

/** In bytes; of a file that was deleted, none. */
export function sizeOf(content: Content | null): number {
  if (content === null) return 0
  return typeof content === 'string'
    ? Buffer.byteLength(content)
    : Buffer.byteLength(content.base64, 'base64')
}

export function isSameContent(a: Content | null | undefined, b: Content | null | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  return a.digest === b.digest
}

/** Whether both change the same files to the same. */
export function areSameChanges(a: Changes, b: Changes): boolean {
  return (
    a.size === b.size && [...a].every(([path, content]) => b.has(path) && isSameContent(content, b.get(path)))
  )
}

/** As git takes them. */
export function committed(changes: Changes): NewCommit['changes'] {
  return new Map(
    [...changes].map(([path, content]) => [
      path,
      content === null || typeof content === 'string' ? content : bytesOf(content),
    ]),
  )
}
