/** Scripts of other companies that a site asks for: what the reader's script needs to load them. */

export interface OutsideService {
  /** Whole address. */
  src: string
  attributes: Readonly<Record<string, string>>
  /** Globals that the script looks for, set unless they are there. */
  globals: Readonly<Record<string, unknown>>
  /** A function that keeps its calls until the script has come. */
  queue: string | null
  /** Measurement id whose page views are told to Google's tag. */
  tag: string | null
}

export interface OutsideServices {
  /** Without this entry in the browser's storage nothing is loaded; null when no consent is asked for. */
  consent: { key: string; value: string } | null
  services: readonly OutsideService[]
}
