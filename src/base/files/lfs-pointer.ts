/** Git LFS pointers: the content of a repository file that LFS stores elsewhere. */

export interface LfsPointer {
  oid: string
  sizeBytes: number
}

/** Maximum size of a pointer according to the LFS specification. */
export const MAX_POINTER_BYTES = 1024
const POINTER =
  /^version https:\/\/(?:git-lfs\.github\.com\/spec|hawser\.github\.com\/spec)\/v\d+\r?\n(?:[a-z0-9.-]+ [^\r\n]+\r?\n)*?oid sha256:([0-9a-f]{64})\r?\n(?:[a-z0-9.-]+ [^\r\n]+\r?\n)*?size (\d+)\r?\n/

export function readPointer(text: string): LfsPointer | null {
  const [, oid, size] = (text.length > MAX_POINTER_BYTES ? null : POINTER.exec(text)) ?? []
  return oid === undefined ? null : { oid, sizeBytes: Number(size) }
}
