/** Decodes content files in the same way for pages, snippets and settings. */
import type { FileTree } from '../base/files/file-tree.ts'

export interface DecodedText {
  text: string
  encoding: 'utf-8' | 'utf-16' | 'windows-1252'
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Decodes content and never fails: UTF-16 if it has a byte order mark, else UTF-8 if valid, else
 * Windows-1252.
 */
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
 * Copies a string so that it does not keep its source alive. V8 slices refer to their parent, so a 40-byte link would
 * hold a 700 KB page in memory.
 */
export function detach(slice: string): string {
  return slice.length < 13 ? slice : Buffer.from(slice, 'utf16le').toString('utf16le')
}
