/**
 * Decodes SVG files in the same way as browsers, so that the script filter processes the same document. Files in other
 * encodings are converted to UTF-8.
 */
import { removeScript } from './svg-script.ts'

/** Replaces files that browsers cannot decode. */
const EMPTY = '<svg xmlns="http://www.w3.org/2000/svg"/>'
/** Matches the XML declaration, which must be at the start. */
const XML_DECLARATION = /^\s*<\?xml\b[^>]{0,300}?\?>/
const ENCODING = /\sencoding\s*=\s*(["'])([^"']*)\1/
const DECLARATION_BYTES = 512

/** Returns the file without executable content. UTF-8 files without such content are returned unchanged. */
export function sanitizeSvg(bytes: Uint8Array): Uint8Array | string {
  const encoding = detectEncoding(bytes)
  const text = decode(bytes, encoding)
  if (text.includes('\0')) return EMPTY
  const safe = removeScript(text)
  if (encoding === 'utf-8') return safe === text && isUtf8(bytes) ? bytes : safe
  return safe.replace(XML_DECLARATION, (declaration) => declaration.replace(ENCODING, ''))
}

/**
 * Detects the encoding from the byte order mark, the first character or the XML declaration, in this order.
 */
function detectEncoding(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xef && second === 0xbb) return 'utf-8'
  if (first === 0x3c && second === 0) return 'utf-16le'
  if (first === 0 && second === 0x3c) return 'utf-16be'
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES))
  const declared = ENCODING.exec(XML_DECLARATION.exec(start)?.[0] ?? '')?.[2] ?? 'utf-8'
  const declaredEncoding = normalizeEncoding(declared)
  // Not UTF-16, because the declaration was readable as single bytes.
  return declaredEncoding.startsWith('utf-16') ? 'utf-8' : declaredEncoding
}

/** Returns UTF-8 for unknown encodings. */
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
