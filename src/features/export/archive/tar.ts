/** Tar headers in the ustar format, with pax records for long names, non-ASCII names and huge sizes. */

export const BLOCK_BYTES = 512
const NAME_BYTES = 100
const PREFIX_BYTES = 155
/** Maximum value of eleven octal digits. */
const SIZE_LIMIT = 0o77777777777

/** A tar file ends with two empty blocks. */
export const TAR_END = new Uint8Array(2 * BLOCK_BYTES)

/** Header blocks of a regular file: mode 0644, owner 0, time 0. `path` is relative and uses `/`. */
export function tarHeader(path: string, sizeBytes: number): Uint8Array {
  const records: string[] = []
  const splitPath = splitName(path)
  if (!splitPath) records.push(paxRecord('path', path))
  if (sizeBytes > SIZE_LIMIT) records.push(paxRecord('size', String(sizeBytes)))
  const own = splitPath ?? { name: plainName(path, NAME_BYTES), prefix: '' }
  const header = headerBlock({ ...own, sizeBytes: Math.min(sizeBytes, SIZE_LIMIT), type: '0' })
  if (records.length === 0) return header
  const body = Buffer.from(records.join(''))
  const extra = headerBlock({
    name: plainName(`pax/${path}`, NAME_BYTES),
    prefix: '',
    sizeBytes: body.length,
    type: 'x',
  })
  return Buffer.concat([extra, body, tarPadding(body.length), header])
}

export function tarPadding(sizeBytes: number): Uint8Array {
  return new Uint8Array((BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES)
}

function splitName(path: string): { name: string; prefix: string } | null {
  if (!/^[\x20-\x7e]+$/.test(path)) return null
  if (path.length <= NAME_BYTES) return { name: path, prefix: '' }
  const slash = path.indexOf('/', path.length - NAME_BYTES - 1)
  if (slash <= 0 || slash > PREFIX_BYTES || slash === path.length - 1) return null
  return { name: path.slice(slash + 1), prefix: path.slice(0, slash) }
}

/** Returns the name for programs without pax support. */
function plainName(path: string, limit: number): string {
  return path.replace(/[^\x20-\x7e]/g, '_').slice(-limit)
}

/** Formats `<length> <key>=<value>\n`, where the length includes its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + String(rest).length
  if (rest + String(length).length !== length) length += 1
  return `${length} ${key}=${value}\n`
}

function headerBlock(entry: { name: string; prefix: string; sizeBytes: number; type: string }): Uint8Array {
  const header = Buffer.alloc(BLOCK_BYTES)
  header.write(entry.name, 0, 'latin1')
  header.write('0000644\0', 100, 'latin1')
  header.write('0000000\0', 108, 'latin1') // uid
  header.write('0000000\0', 116, 'latin1') // gid
  header.write(`${entry.sizeBytes.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
  header.write('00000000000\0', 136, 'latin1') // mtime
  header.write('        ', 148, 'latin1') // checksum, blanks while it is computed
  header.write(entry.type, 156, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  header.write('0000000\0', 329, 'latin1') // device numbers
  header.write('0000000\0', 337, 'latin1')
  header.write(entry.prefix, 345, 'latin1')
  let sum = 0
  for (const byte of header) sum += byte
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}
