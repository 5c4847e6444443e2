/** Bytes of a content file to text, the same way wherever a page, a snippet or a setting is read. */
import type { FileTree } from '../base/files/file-tree.ts'

export interface DecodedText {
  text: string
  encoding: 'utf-8' | 'utf-16' | 'windows-1252'
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes content without ever failing: what is not UTF-8 is read as UTF-16 when it says so, else as Windows-1252. */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'utf-16' }
  }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'utf-16' }
  }
  try {
    return { text: utf8.decode(bytes), encoding: 'utf-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' }
  }
}

export async function readTextFile(tree: FileTree, path: string): Promise<string> {
  return decodeText(await tree.read(path)).text
}

/**
 * A copy that does not keep the text it was cut from alive. V8 slices point into their parent, so a 40-byte link
 * would hold a 700 KB page in memory.
 */
export function detach(slice: string): string {
  return slice.length < 13 ? slice : Buffer.from(slice, 'utf16le').toString('utf16le')
}
