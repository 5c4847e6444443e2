/** Content of a changed file: text, or an image in base64, which passes between processes like text. */
import { sha256 } from '../../../base/hash.ts'
import type { NewCommit } from '../../../git/push/write-commit.ts'

export interface Image {
  /** SHA-256 of the bytes, in hexadecimal. */
  digest: string
  base64: string
}

export type Content = string | Image

/** Content of written files; null for deleted ones. */
export type Changes = ReadonlyMap<string, Content | null>

/** Maximum size of one image in bytes; a limit of the job applies to all changed files together. */
export const MAX_PICTURE_BYTES = 5 << 20

const IMAGE_FILE = /\.(?:png|jpe?g|gif|webp|avif|bmp)$/i

/** SVG counts as text. */
export function isImageFile(path: string): boolean {
  return IMAGE_FILE.test(path)
}

export function toImage(bytes: Uint8Array): Image {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { digest: sha256(buffer), base64: buffer.toString('base64') }
}

export function contentBytes(content: Content): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content.base64, 'base64')
}

/** Size in bytes; 0 for a deleted file. */
export function contentSize(content: Content | null): number {
  if (content === null) return 0
  return typeof content === 'string'
    ? Buffer.byteLength(content)
    : Buffer.byteLength(content.base64, 'base64')
}

export function isSameContent(a: Content | null | undefined, b: Content | null | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  return a.digest === b.digest
}

export function areSameChanges(a: Changes, b: Changes): boolean {
  return (
    a.size === b.size && [...a].every(([path, content]) => b.has(path) && isSameContent(content, b.get(path)))
  )
}

export function toCommitChanges(changes: Changes): NewCommit['changes'] {
  return new Map(
    [...changes].map(([path, content]) => [
      path,
      content === null || typeof content === 'string' ? content : contentBytes(content),
    ]),
  )
}
