/** What a render keeps for the next one, under the name of what it was made from. What is not there is made again. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { seal, unseal } from '../objects/object-kinds.ts'
import { ObjectMissingError, type ObjectStore } from '../objects/object-store.ts'
import { gzipMember } from './blobs.ts'

const decompress = promisify(gunzip)

/** `key` is of a kind with a seal; `value` is plain data. */
export async function putEntry(objects: ObjectStore, key: string, value: unknown): Promise<void> {
  await objects.put(key, seal(key, await gzipMember(Buffer.from(JSON.stringify(value)), 1)))
}

/** Null when it is not there, or not what was put. */
export async function readEntry<Value>(objects: ObjectStore, key: string): Promise<Value | null> {
  try {
    const packed = unseal(key, await objects.read(key))
    return JSON.parse((await decompress(packed)).toString()) as Value
  } catch (error) {
    if (error instanceof ObjectMissingError) return null
    throw error
  }
}
