/** Gives memory that V8 has freed back to the operating system. */
import { setFlagsFromString } from 'node:v8'

/** First version whose memory pool can be disabled; older ones print a warning about the flag. */
const MIN_NODE_MAJOR = 26

/**
 * Returns heap pages to the system as soon as they are empty. Otherwise a process that produces garbage as fast as a
 * build retains hundreds of megabytes, because V8 only releases pages that are older than eight seconds. For
 * processes that handle large sites; cannot be undone.
 */
export function disableHeapPool(): void {
  if (Number.parseInt(process.versions.node, 10) >= MIN_NODE_MAJOR) setFlagsFromString('--no-memory-pool')
}
