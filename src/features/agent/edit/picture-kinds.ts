/** What a picture is, by its own bytes: names and servers may say anything. */

export interface PictureKind {
  /** For people. */
  name: string
  /** Endings of its files; the first is the usual one. */
  endings: readonly string[]
  contentType: string
  /** Whether bytes begin as its files do. */
  begins(bytes: Buffer): boolean
  /** Whether they also end as its files do; others may be cut short anywhere. */
  ends?(bytes: Buffer): boolean
}

const starts = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).toString('latin1') === text

/** Further bytes after the end of a picture harm nobody and are common. */
const TAIL = 1024

const PNG_END = Buffer.from('IEND')
const JPEG_END = Buffer.from([0xff, 0xd9])

export const PICTURE_KINDS: readonly PictureKind[] = [
  {
    name: 'PNG',
    endings: ['png'],
    contentType: 'image/png',
    begins: (bytes) => starts(bytes, '\x89PNG\r\n\x1a\n'),
    ends: (bytes) => bytes.subarray(-TAIL).includes(PNG_END),
  },
  {
    name: 'JPEG',
    endings: ['jpg', 'jpeg'],
    contentType: 'image/jpeg',
    begins: (bytes) => starts(bytes, '\xff\xd8\xff'),
    ends: (bytes) => bytes.lastIndexOf(JPEG_END) > 0,
  },
  {
    name: 'GIF',
    endings: ['gif'],
    contentType: 'image/gif',
    begins: (bytes) => starts(bytes, 'GIF87a') || starts(bytes, 'GIF89a'),
    ends: (bytes) => bytes.subarray(-TAIL).includes(0x3b),
  },
  {
    name: 'WebP',
    endings: ['webp'],
    contentType: 'image/webp',
    begins: (bytes) => bytes.length > 12 && starts(bytes, 'RIFF') && starts(bytes, 'WEBP', 8),
    ends: (bytes) => bytes.readUInt32LE(4) + 8 <= bytes.length + 1,
  },
  {
    name: 'AVIF',
    endings: ['avif'],
    contentType: 'image/avif',
    begins: (bytes) => starts(bytes, 'ftyp', 4) && /^avi[fs]/.test(bytes.subarray(8, 12).toString('latin1')),
  },
]

export function kindOf(bytes: Buffer): PictureKind | null {
  return PICTURE_KINDS.find((kind) => kind.begins(bytes)) ?? null
}
