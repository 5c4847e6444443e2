/** Access to the files of a site version in any storage. */
export interface SiteFileReader {
  names: Iterable<string>
  /** Returns null for a file that is missing or larger than `maxBytes`. Rejects if the file cannot be read. */
  read(name: string, maxBytes: number): Promise<Uint8Array | null>
}
