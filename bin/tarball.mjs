/** Reads a package as the registry has it, without unpacking it. */
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

/** What was read is not the package that was asked for. */
export class WrongPackageError extends Error {
  name = 'WrongPackageError'
}

const BLOCK = 512
const CHUNK = 1 << 20

/**
 * Gives each file to the sink that `sinkOf` has for its name, or passes it over where that is null. Throws
 * WrongPackageError when the whole is not what `integrity` says; without integrity nothing is compared.
 */
export async function readTarball(file, integrity, sinkOf) {
  const hash = createHash('sha512')
  await pipeline(
    createReadStream(file, { highWaterMark: CHUNK }),
    async function* (packed) {
      for await (const chunk of packed) {
        hash.update(chunk)
        yield chunk
      }
    },
    createGunzip({ chunkSize: CHUNK }),
    (chunks) => readEntries(chunks, sinkOf),
  )
  const found = `sha512-${hash.digest('base64')}`
  if (integrity !== undefined && found !== integrity)
    throw new WrongPackageError(`${file} is not the package that was asked for`)
}

/** Whether the file is there, and what `integrity` says. */
export async function isTarball(file, integrity) {
  const hash = createHash('sha512')
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK })) hash.update(chunk)
  } catch {
    return false
  }
  return `sha512-${hash.digest('base64')}` === integrity
}

/** Of a text that is kept whole. */
export function textSink(whenWhole) {
  const chunks = []
  return {
    take: (chunk) => chunks.push(Buffer.from(chunk)),
    end: () => whenWhole(Buffer.concat(chunks).toString()),
  }
}

export function fileSink(path, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true })
  const handle = openSync(path, 'w', mode)
  return { take: (chunk) => writeSync(handle, chunk), end: () => closeSync(handle) }
}

async function readEntries(chunks, sinkOf) {
  let rest = Buffer.alloc(0)
  let left = 0 // of the entry at hand
  let padding = 0 // after it
  let sink = null
  let longName = null // of the next entry, where an entry of its own said so
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      if (left > 0) {
        const part = rest.subarray(0, left)
        sink?.take(part)
        left -= part.length
        rest = rest.subarray(part.length)
        if (left > 0) break
        sink?.end()
        sink = null
      }
      const skipped = Math.min(padding, rest.length)
      padding -= skipped
      rest = rest.subarray(skipped)
      if (padding > 0 || rest.length < BLOCK) break
      const header = readHeader(rest)
      rest = rest.subarray(BLOCK)
      if (header === null) continue
      left = header.size
      padding = (BLOCK - (left % BLOCK)) % BLOCK
      if (header.type === 'x' || header.type === 'L') {
        sink = textSink((text) => {
          longName = header.type === 'L' ? text.replace(/\0.*$/s, '') : (pathOf(text) ?? longName)
        })
      } else {
        if (header.type === '0') sink = sinkOf(inPackage(longName ?? header.name))
        longName = null
        if (left === 0) {
          sink?.end()
          sink = null
        }
      }
    }
  }
  if (left > 0) throw new Error('the package ends in the middle of a file')
}

/** Null for a block of zeros, of which there are some at the end. */
function readHeader(block) {
  if (block[0] === 0) return null
  const text = (from, length) => block.toString('utf8', from, from + length).replace(/\0.*$/s, '')
  const prefix = text(345, 155)
  const name = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`
  const type = text(156, 1) || '0'
  return { name, type, size: Number.parseInt(text(124, 12), 8) || 0 }
}

/** Of a record of properties: lines of `<length> path=<name>`. */
function pathOf(properties) {
  return /^\d+ path=(.*)$/m.exec(properties)?.[1] ?? null
}

/** Without the folder that all of a package lies in. */
function inPackage(name) {
  return name.slice(name.indexOf('/') + 1)
}
