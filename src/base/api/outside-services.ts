/** Third-party scripts of a site, with the data that the reader script needs to load them. */

export interface OutsideService {
  src: string
  attributes: Readonly<Record<string, string>>
  /** Globals for the script, set unless they already exist. */
  globals: Readonly<Record<string, unknown>>
  /** Name of a function that queues calls until the script has loaded. */
  queue: string | null
  /** Measurement id for which page views are reported to Google's tag. */
  tag: string | null
}

export interface OutsideServices {
  /**
   * Entry in the browser's storage that signals consent; nothing is loaded without it. Null if no consent is needed.
   */
  consent: { key: string; value: string } | null
  services: readonly OutsideService[]
}
