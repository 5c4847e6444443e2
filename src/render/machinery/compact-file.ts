/**
 * Where the few files lie that are made of large packages (`scripts/compact.mjs`): a package that is shipped carries
 * them beside its compiled sources, in a clone its installer makes them.
 */
const FOLDER = import.meta.filename.endsWith('.ts') ? '../../../node_modules/.octavo/' : '../../../compact/'

/** `icons/lucide.txt` to its place. */
export function compactFile(name: string): URL {
  return new URL(FOLDER + name, import.meta.url)
}
