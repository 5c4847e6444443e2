/**
 * Decodes SVG files as browsers do, so that a filter sees the same document as a browser. Files in other encodings
 * are converted to UTF-8.
 */
import { removeScript } from './svg-script.ts'

/** Replaces a file that no browser can decode. */
const EMPTY = '<svg xmlns="http://www.w3.org/2000/svg"/>'
/** The XML declaration is at the very start of a document. */
const DECLARATION = /^\s*<\?xml\b[^>]{0,300}?\?>/
const ENCODING = /\sencoding\s*=\s*(["'])([^"']*)\1/
const DECLARATION_BYTES = 512

/** Returns the file without executable content; the same bytes if there is none and they are UTF-8. */
export function sanitizeSvg(bytes: Uint8Array): Uint8Array | string {
  const encoding = detectEncoding(bytes)
  const text = decode(bytes, encoding)
  if (text.includes('\0')) return EMPTY
  const safe = removeScript(text)
  if (encoding === 'utf-8') return safe === text && isUtf8(bytes) ? bytes : safe
  return safe.replace(DECLARATION, (declaration) => declaration.replace(ENCODING, ''))
}

/** Detects the encoding by byte order mark, else by the first character, else by the XML declaration. */
function detectEncoding(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xef && second === 0xbb) return 'utf-8'
  if (first === 0x3c && second === 0) return 'utf-16le'
  if (first === 0 && second === 0x3c) return 'utf-16be'
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES))
  const declared = ENCODING.exec(DECLARATION.exec(start)?.[0] ?? '')?.[2] ?? 'utf-8'
  const declaredEncoding = normalizeEncoding(declared)
  // The declaration was readable as single bytes, so UTF-16 cannot be right.
  return declaredEncoding.startsWith('utf-16') ? 'utf-8' : declaredEncoding
}

/** Unknown encoding names are treated as UTF-8. */
function normalizeEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return 'utf-8'
  }
}

function decode(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes)
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
