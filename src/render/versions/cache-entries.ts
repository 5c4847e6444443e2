/** What a render keeps for the next one, under the name of what it was made from. What is not there is made again. */
import { seal, unseal } from '../../objects/object-kinds.ts'
import { type ObjectCache, ObjectMissingError } from '../../objects/object-store.ts'
import { gzipMember, unpackMember } from './blobs.ts'

/** Characters of a text that there can be are a few more. */
const MOST_ENTRY_BYTES = 500_000_000

/** What all builds of a hosted project keep lies below this key. */
export function memoryOfProject(projectId: string): string {
  return `stamps/${projectId}/`
}

/** `key` is of a kind with a seal; `value` is plain data. */
export async function putEntry(objects: ObjectCache, key: string, value: unknown): Promise<void> {
  await putBytes(objects, key, await gzipMember(Buffer.from(JSON.stringify(value)), 1))
}

/** Null when it is not there, or not what was put. */
export async function readEntry<Value>(objects: ObjectCache, key: string): Promise<Value | null> {
  try {
    const member = await readBytes(objects, key)
    if (member === null) return null
    const content = await unpackMember(member, MOST_ENTRY_BYTES)
    return JSON.parse(Buffer.from(content).toString()) as Value
  } catch (error) {
    if (error instanceof SyntaxError || isZlibError(error)) return null
    throw error
  }
}

/** As `putEntry`, for JSON that lies there as it is: to unpack it takes longer than to read it. */
export function putPlain(objects: ObjectCache, key: string, json: string): Promise<void> {
  return putBytes(objects, key, Buffer.from(json))
}

/** Null when it is not there, or not what was put. */
export async function readPlain<Value>(objects: ObjectCache, key: string): Promise<Value | null> {
  const bytes = await readBytes(objects, key)
  try {
    return (
      bytes && (JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as Value)
    )
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** As `putEntry`, for what is bytes and is not packed. */
export async function putBytes(objects: ObjectCache, key: string, bytes: Uint8Array): Promise<void> {
  await objects.put(key, objects.isSealed ? bytes : seal(key, bytes))
}

export async function readBytes(objects: ObjectCache, key: string): Promise<Uint8Array | null> {
  try {
    const stored = await objects.read(key)
    return objects.isSealed ? stored : unseal(key, stored)
  } catch (error) {
    if (error instanceof ObjectMissingError) return null
    throw error
  }
}

function isZlibError(error: unknown): boolean {
  return /^(?:Z_|ERR_BUFFER_TOO_LARGE)/.test(String((error as NodeJS.ErrnoException).code))
}
