/** Detects the type of an image from its bytes: file names and servers may claim anything. */

export interface ImageKind {
  name: string
  endings: readonly string[]
  contentType: string
  begins(bytes: Buffer): boolean
  /** Whether the end of the file is complete. Types without this test cannot be checked for truncation. */
  ends?(bytes: Buffer): boolean
}

const beginsWith = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).toString('latin1') === text

/** Trailing bytes that are tolerated after the end of an image, since they are common and harmless. */
const TAIL = 1024
const PNG_END = Buffer.from('IEND')
const JPEG_END = Buffer.from([0xff, 0xd9])

export const PICTURE_KINDS: readonly ImageKind[] = [
  {
    name: 'PNG',
    endings: ['png'],
    contentType: 'image/png',
    begins: (bytes) => beginsWith(bytes, '\x89PNG\r\n\x1a\n'),
    ends: (bytes) => bytes.subarray(-TAIL).includes(PNG_END),
  },
  {
    name: 'JPEG',
    endings: ['jpg', 'jpeg'],
    contentType: 'image/jpeg',
    begins: (bytes) => beginsWith(bytes, '\xff\xd8\xff'),
    ends: (bytes) => bytes.lastIndexOf(JPEG_END) > 0,
  },
  {
    name: 'GIF',
    endings: ['gif'],
    contentType: 'image/gif',
    begins: (bytes) => beginsWith(bytes, 'GIF87a') || beginsWith(bytes, 'GIF89a'),
    ends: (bytes) => bytes.subarray(-TAIL).includes(0x3b),
  },
  {
    name: 'WebP',
    endings: ['webp'],
    contentType: 'image/webp',
    begins: (bytes) => bytes.length > 12 && beginsWith(bytes, 'RIFF') && beginsWith(bytes, 'WEBP', 8),
    ends: (bytes) => bytes.readUInt32LE(4) + 8 <= bytes.length + 1,
  },
  {
    name: 'AVIF',
    endings: ['avif'],
    contentType: 'image/avif',
    begins: (bytes) =>
      beginsWith(bytes, 'ftyp', 4) && /^avi[fs]/.test(bytes.subarray(8, 12).toString('latin1')),
  },
]

export function detectImageKind(bytes: Buffer): ImageKind | null {
  return PICTURE_KINDS.find((kind) => kind.begins(bytes)) ?? null
}
