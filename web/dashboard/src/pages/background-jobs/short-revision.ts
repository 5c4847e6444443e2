/** Shortens a commit id, or the hash of a folder, to its beginning. */
export function shortRevision(revision: string): string {
  return revision.replace(/^content:/, '').slice(0, 10)
}
