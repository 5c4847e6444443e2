/** Access to the files of a site version, wherever they are stored. */
export interface SiteFileReader {
  /** Names of the existing files. */
  names: Iterable<string>
  /** Returns null for a file that is missing or larger than `maxBytes`. Rejects when it cannot be read. */
  read(name: string, maxBytes: number): Promise<Uint8Array | null>
}
