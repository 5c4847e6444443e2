/**
 * Where the few files lie that are made of large packages (`scripts/compact.mjs`): a package that is shipped carries
 * them, in a clone its installer makes them.
 */
import { existsSync } from 'node:fs'

const SHIPPED = new URL('../../compact/', import.meta.url)
const INSTALLED = new URL('../../node_modules/.octavo/', import.meta.url)

/** `icons/lucide.txt` to its place. */
export function compactFile(name: string): URL {
  const shipped = new URL(name, SHIPPED)
  return existsSync(shipped) ? shipped : new URL(name, INSTALLED)
}
