/** Types for the part of `mmdb-lib` that Octavo uses. */
declare module 'mmdb-lib' {
  export class Reader<Found> {
    constructor(database: Buffer)
    /** Throws for an invalid address. */
    get(address: string): Found | null
  }
}
