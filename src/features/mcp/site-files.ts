/** The files of one site version, wherever they lie. */
export interface SiteFileReader {
  /** Names of files that are there. */
  names: Iterable<string>
  /** Null for a file that is not there, or is larger than what is asked for. Rejects when it cannot be read. */
  read(name: string, maxBytes: number): Promise<Uint8Array | null>
}
